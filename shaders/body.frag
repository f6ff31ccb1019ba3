// A rubbery body under a soft key light from above, a cool fill light and a sky. The edge of the light is wrapped further for
// red than for blue, which looks like light travelling a little way under the skin.
in Corner {
    vec3 world, normal, in_light, light_offset;
    float held;
#ifdef FIELD
    float value;
#endif
} corner;
out vec4 colour;

uniform sampler2DShadow shadow_map;
uniform vec3 eye, to_key_light, to_fill_light, base_colour;
uniform float pin_tint, ground, size;

const vec3 key = vec3(2.35, 2.22, 2.05), fill = vec3(0.30, 0.36, 0.46);
const vec3 sky = vec3(0.50, 0.55, 0.62), earth = vec3(0.33, 0.28, 0.25);

float lit_fraction(float side) {  // taps on a sunflower disc: soft, but without steps
    const int taps = 10;
    vec3 place = corner.in_light + side * corner.light_offset;
    float sum = 0.0;
    for (int i = 0; i < taps; ++i) {
        float r = 0.0085 * sqrt((float(i) + 0.5) / float(taps)), a = 2.3999632 * float(i);
        sum += texture(shadow_map, vec3(place.xy + r * vec2(cos(a), sin(a)), place.z - 0.0012));
    }
    return sum / float(taps);
}

vec3 wrapped(float cosine, vec3 wrap) { return max((cosine + wrap) / (1.0 + wrap), 0.0) / (1.0 + wrap); }

void main() {
    float side = gl_FrontFacing ? 1.0 : -1.0;  // a sheet is seen from both
    vec3 n = side * normalize(corner.normal), v = normalize(eye - corner.world);
    float cosine = dot(n, to_key_light);
    float lit = cosine > -0.3 ? lit_fraction(side) : 0.0;
    // Where the surface turns away the wrapped light fades by itself; the map's shadow only counts where it faces the light.
    float shade = mix(1.0, lit, smoothstep(-0.12, 0.2, cosine));

    vec3 albedo = mix(base_colour, vec3(0.10, 0.13, 0.19), 0.62 * corner.held * pin_tint);
    float near_ground = smoothstep(0.0, 0.22 * size, corner.world.y - ground);
    float open = mix(0.45 + 0.4 * max(n.y, 0.0), 1.0, near_ground);  // the ground takes away part of the sky
    vec3 ambient = mix(earth, sky, 0.5 + 0.5 * n.y) * open;

    vec3 light = key * shade * wrapped(cosine, vec3(0.32, 0.12, 0.07));
    light += fill * wrapped(dot(n, to_fill_light), vec3(0.25));
    light += ambient;
    vec3 c = albedo * light * 0.66;
    c += albedo * vec3(0.05, 0.010, 0.004) * (1.0 - lit * max(cosine, 0.0));  // warmth that comes through

    vec3 h = normalize(v + to_key_light);
    float turned = 1.0 - max(dot(n, v), 0.0), grazing = turned * turned * turned * turned * turned;
    float fresnel = 0.035 + 0.55 * grazing;
    float gloss = max(dot(n, h), 0.0), g2 = gloss * gloss, g4 = g2 * g2, g8 = g4 * g4, wide = g8 * g8 * g8 * g4;
    c += key * shade * max(cosine, 0.0) * (0.055 * wide + 0.10 * wide * wide * wide * wide * wide);
    c += sky * open * fresnel * (0.35 + 0.65 * max(reflect(-v, n).y, 0.0)) * 0.55;  // sky mirrored at the rim

    c = c * (1.0 + c / 6.0) / (1.0 + 0.55 * c);  // shoulder: bright parts keep their hue
    colour = vec4(pow(c, vec3(1.0 / 2.2)), 1.0);
}
