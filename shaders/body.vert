layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float pinned;
layout(location = 3) in float value;
#ifdef OWN_COLOURS
layout(location = 4) in vec4 own_colour;
layout(location = 5) in vec2 own_place;
#endif

uniform mat4 clip;
uniform mat4 light_clip;
uniform vec3 eye;
uniform float recede;         // m: depths as if it were that much farther from the eye
uniform float shadow_offset;  // m along the normal: keeps a surface out of its own shadow

out Corner {
    vec3 world, normal, in_light, light_offset;
    float held;
#ifdef FIELD
    float value;
#endif
#ifdef OWN_COLOURS
    vec4 own_colour;
    vec2 own_place;
#endif
} corner;
invariant gl_Position;  // passes that draw only depths must hit the same

void main() {
    corner.world = position;
    corner.normal = normal;
    corner.held = pinned;
#ifdef FIELD
    corner.value = value;
#endif
#ifdef OWN_COLOURS
    corner.own_colour = own_colour;
    corner.own_place = own_place;
#endif
    corner.in_light = (light_clip * vec4(position, 1)).xyz * 0.5 + 0.5;
    corner.light_offset = (light_clip * vec4(shadow_offset * normal, 0)).xyz * 0.5;
    gl_Position = receded(clip, position, eye, recede);
}
