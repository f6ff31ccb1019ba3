// A body that is only compared with: its own colour, thin where it is seen from the front, denser at the rim, so that its outline reads.
in Corner {
    vec3 world, normal, in_light, light_offset;
    float held;
} corner;
out vec4 colour;

uniform vec3 eye, to_key_light, base_colour;
uniform float opacity;

void main() {
    vec3 n = normalize(corner.normal), v = normalize(eye - corner.world);
    if (dot(n, v) < 0.0) n = -n;
    float turned = 1.0 - max(dot(n, v), 0.0);
    float light = 0.55 + 0.5 * max(dot(n, to_key_light), 0.0) + 0.1 * n.y;
    vec3 c = pow(base_colour * light, vec3(1.0 / 2.2));
    c = mix(c, vec3(1.0), 0.10);
    colour = vec4(c, opacity * mix(0.34, 0.88, turned * turned));
}
