out vec4 colour;
void main() { colour = vec4(0.05, 0.06, 0.09, 0.42); }
