// A body that is only compared with: its own colour, thin where it is seen from the front, denser at the rim, so that its outline reads.
#ifdef FLAT
in Face {
    vec3 world, in_light;
    float value;
} corner;
flat in vec3 face_normal;
#else
in Corner {
    vec3 world, normal, in_light, light_offset;
    float held;
} corner;
#endif
out vec4 colour;

uniform vec3 eye, to_key_light, base_colour;
uniform float opacity;

void main() {
#ifdef FLAT
    vec3 n = face_normal;
#else
    vec3 n = normalize(corner.normal);
#endif
    vec3 v = normalize(eye - corner.world);
    if (dot(n, v) < 0.0) n = -n;
    float turned = 1.0 - max(dot(n, v), 0.0);
    float light = 0.60 + 0.55 * max(dot(n, to_key_light), 0.0) + 0.12 * n.y;
    vec3 c = mix(display(base_colour * light), vec3(1.0), 0.08);
    colour = vec4(c, min(opacity * mix(0.55, 1.7, turned * turned), 1.0));
}
