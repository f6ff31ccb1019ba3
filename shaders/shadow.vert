layout(location = 0) in vec3 position;
uniform mat4 light_clip;
void main() { gl_Position = light_clip * vec4(position, 1); }
