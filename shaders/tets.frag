// Flat faces with darker edges.
in Face {
    vec3 world, in_light;
    float value;
} face;
flat in vec3 face_normal;
noperspective in vec3 edges;  // pixels
flat in float grain;          // pixels
out vec4 colour;

uniform sampler2DShadow shadow_map;
uniform sampler2D field_map;
uniform vec3 eye, to_key_light, to_fill_light, base_colour;
uniform float field_low, field_high, ground, size, line_width;

void main() {
    vec3 n = face_normal;
    if (dot(n, eye - face.world) < 0.0) n = -n;
    float cosine = max(dot(n, to_key_light), 0.0), lit = 0.0;
    if (cosine > 0.0) {
        const int taps = 6;
        for (int i = 0; i < taps; ++i) {
            float r = 0.007 * sqrt((float(i) + 0.5) / float(taps)), a = 2.3999632 * float(i);
            lit += texture(shadow_map, vec3(face.in_light.xy + r * vec2(cos(a), sin(a)), face.in_light.z - 0.004)) / float(taps);
        }
    }
    float open = mix(0.72, 1.0, smoothstep(0.0, 0.22 * size, face.world.y - ground));
#ifdef FIELD
    float share = (face.value - field_low) / max(field_high - field_low, 1e-30);
    vec3 albedo = texture(field_map, vec2(share * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
    float light = 0.62 + 0.20 * n.y * open + 0.42 * lit * cosine + 0.14 * max(dot(n, to_fill_light), 0.0);
#else
    vec3 albedo = mix(base_colour, vec3(0.62), 0.12);
    float light = 0.36 + 0.17 * n.y * open + 0.85 * lit * cosine + 0.20 * max(dot(n, to_fill_light), 0.0);
#endif
    vec3 c = shoulder(albedo * light);
    float nearest = min(edges.x, min(edges.y, edges.z));
    float line = 1.0 - smoothstep(0.35 * line_width, 0.35 * line_width + 1.1, nearest);
    c *= 1.0 - 0.62 * line * smoothstep(2.5, 9.0, grain);
    colour = vec4(display(c), 1.0);
}
