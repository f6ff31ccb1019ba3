in vec2 place;
out vec4 colour;
void main() { colour = vec4(backdrop(place) + (noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0); }
