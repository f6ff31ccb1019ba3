layout(location = 0) in vec2 place;
layout(location = 1) in vec4 tint;
out vec4 vertex_colour;
void main() {
    vertex_colour = tint;
    gl_Position = vec4(place, 0.0, 1.0);
}
