layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float pinned;

uniform mat4 clip;
uniform mat4 light_clip;
uniform float shadow_offset;  // m along the normal: keeps a surface out of its own shadow

out vec3 world;
out vec3 world_normal;
out vec3 in_light, light_offset;
out float held;

void main() {
    world = position;
    world_normal = normal;
    held = pinned;
    in_light = (light_clip * vec4(position, 1)).xyz * 0.5 + 0.5;
    light_offset = (light_clip * vec4(shadow_offset * normal, 0)).xyz * 0.5;
    gl_Position = clip * vec4(position, 1);
}
