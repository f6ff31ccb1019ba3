uniform mat4 clip;
uniform mat4 light_clip;
uniform vec3 centre;
uniform float reach, margin;
out vec3 world;
out vec2 in_light;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    world = centre + vec3(corner.x * reach, 0.0, corner.y * reach);
    in_light = (light_clip * vec4(world, 1)).xy / margin * 0.5 + 0.5;
    gl_Position = clip * vec4(world, 1);
}
