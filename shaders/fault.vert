layout(location = 0) in vec3 position;
uniform mat4 clip;
out vec3 world;
void main() {
    world = position;
    gl_Position = clip * vec4(position, 1);
}
