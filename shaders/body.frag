// A body in a studio: a soft key light from above, a cool fill light, walls and lamps that shiny looks mirror. LOOK chooses what it is
// made of, FIELD colours it by numbers, OWN_COLOURS as its file says, WIRE draws its edges.
in Corner {
    vec3 world, normal, in_light, light_offset;
    float held;
#ifdef FIELD
    float value;
#endif
#ifdef OWN_COLOURS
    vec4 own_colour;  // linear, share
    vec2 own_place;   // in the picture
#endif
} corner;
#ifdef WIRE
noperspective in vec3 edges;  // pixels
flat in float grain;          // pixels
#endif
out vec4 colour;

uniform sampler2DShadow shadow_map;
uniform sampler2D depths, field_map, picture_map;
uniform vec3 eye, to_key_light, to_fill_light, base_colour;
uniform float pin_tint, ground, size, line_width, field_low, field_high;

#define RUBBER (LOOK == 0)
#define CLAY (LOOK == 1)
#define PORCELAIN (LOOK == 2)
#define METAL (LOOK == 3)
#define JELLY (LOOK == 4)

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
float fifth(float x) { return x * x * x * x * x; }

// What a mirror of this blur sees: walls, the key light's box, a tall strip of the fill light, and a rim light behind the body.
vec3 mirrored(vec3 d, float blur, float lamps, float shade) {
    vec3 across_key = normalize(vec3(to_key_light.z, 0.0, -to_key_light.x));
    vec3 across_fill = normalize(vec3(to_fill_light.z, 0.0, -to_fill_light.x));
    float spread = lamps / (1.0 + 2.5 * blur);  // the same light over a wider patch
    vec3 c = walls(d, blur);
    c += shade * spread * vec3(3.3, 3.15, 2.95) * soft_box(d, to_key_light, across_key, vec2(0.42, 0.34), 0.03 + blur);
    c += spread * vec3(0.85, 0.98, 1.15) * soft_box(d, to_fill_light, across_fill, vec2(0.16, 0.75), 0.04 + blur);
    vec3 behind = normalize(vec3(-to_key_light.x, 0.28, -to_key_light.z));
    c += spread * vec3(1.0, 1.0, 1.05) * soft_box(d, behind, across_key, vec2(0.9, 0.22), 0.06 + blur);
    return c;
}

// The way of the key light through the body to this point, m: what the light saw first is where it came in.
float way_through(float side) {
    vec3 place = corner.in_light - side * corner.light_offset;  // a little inside
    float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        float r = 0.03 * sqrt((float(i) + 0.5) / 8.0), a = 2.3999632 * float(i);
        sum += max(place.z - texture(depths, place.xy + r * vec2(cos(a), sin(a))).r, 0.0);
    }
    return sum / 8.0;
}

void main() {
    float side = gl_FrontFacing ? 1.0 : -1.0;  // a sheet is seen from both
    vec3 n = side * normalize(corner.normal), v = normalize(eye - corner.world);
    float cosine = dot(n, to_key_light);
    float lit = cosine > -0.3 ? lit_fraction(side) : 0.0;
    // Where the surface turns away the wrapped light fades by itself; the map's shadow only counts where it faces the light.
    float shade = mix(1.0, lit, smoothstep(-0.12, 0.2, cosine));

    float near_ground = smoothstep(0.0, 0.22 * size, corner.world.y - ground);
    float open = mix(0.45 + 0.4 * max(n.y, 0.0), 1.0, near_ground);  // the ground takes away part of the sky
    float room = mix(1.0, 0.62, night);
    vec3 ambient = mix(earth, sky, 0.5 + 0.5 * n.y) * open * room;
    float turned = 1.0 - max(dot(n, v), 0.0), grazing = fifth(turned);
    vec3 c;

#ifdef FIELD
    // Evenly lit, so that the colours stay those of the bar.
    float share = (corner.value - field_low) / max(field_high - field_low, 1e-30);
    vec3 albedo = texture(field_map, vec2(share * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
    albedo = mix(albedo, vec3(0.10, 0.13, 0.19), 0.25 * corner.held * pin_tint);
    c = albedo * (0.66 + 0.20 * n.y * open + 0.40 * shade * max(cosine, 0.0) + 0.10 * max(dot(n, to_fill_light), 0.0));
    c += (0.03 + 0.22 * grazing) * sky * open * room;
    float g = max(dot(n, normalize(v + to_key_light)), 0.0), g8 = g * g * g * g * g * g * g * g, wide = g8 * g8 * g8;
    c += shade * max(cosine, 0.0) * 0.10 * wide;
#else
#ifdef OWN_COLOURS
    vec3 own = corner.own_colour.rgb * texture(picture_map, corner.own_place).rgb;
    vec3 paint = mix(base_colour, own, corner.own_colour.a);
#else
    vec3 paint = base_colour;
#endif
    vec3 albedo = mix(paint, vec3(0.10, 0.13, 0.19), 0.62 * corner.held * pin_tint);
#if RUBBER
    vec3 light = key * shade * wrapped(cosine, vec3(0.32, 0.12, 0.07));
    light += fill * wrapped(dot(n, to_fill_light), vec3(0.25));
    light += ambient;
    c = albedo * light * 0.66;
    c += albedo * vec3(0.05, 0.010, 0.004) * (1.0 - lit * max(cosine, 0.0));  // warmth that comes through

    vec3 h = normalize(v + to_key_light);
    float fresnel = 0.035 + 0.55 * grazing;
    float gloss = max(dot(n, h), 0.0), g2 = gloss * gloss, g4 = g2 * g2, g8 = g4 * g4, wide = g8 * g8 * g8 * g4;
    c += key * shade * max(cosine, 0.0) * (0.055 * wide + 0.10 * wide * wide * wide * wide * wide);
    c += sky * room * open * fresnel * (0.35 + 0.65 * max(reflect(-v, n).y, 0.0)) * 0.55;  // sky mirrored at the rim
#elif CLAY
    albedo = mix(albedo, vec3(dot(albedo, vec3(0.3, 0.55, 0.15))), 0.22);
    vec3 light = 0.86 * key * shade * wrapped(cosine, vec3(0.16)) * (0.82 + 0.30 * turned);  // rough: flatter than a smooth matt body
    light += 0.9 * fill * wrapped(dot(n, to_fill_light), vec3(0.4)) + 1.12 * ambient;
    c = albedo * light * 0.70 + 0.035 * sky * room * open * turned * turned;
#elif PORCELAIN
    vec3 light = key * shade * wrapped(cosine, vec3(0.28, 0.20, 0.15)) + fill * wrapped(dot(n, to_fill_light), vec3(0.3)) + ambient;
    float coat = 0.030 + 0.80 * grazing;
    c = albedo * light * 0.66 * (1.0 - 0.6 * grazing) + coat * mirrored(reflect(-v, n), 0.015, 3.6, shade) * mix(open, 1.0, 0.35);
#elif METAL
    vec3 tint = pow(albedo, vec3(0.62));  // metals are brighter and paler than paint of their colour
    vec3 f = tint + (1.0 - tint) * grazing;
    vec3 m = mirrored(reflect(-v, n), 0.13, 1.35, mix(0.25, 1.0, shade));
    c = f * (1.15 * m * m / (0.35 + m) + 0.05 * key * shade * max(cosine, 0.0)) * mix(0.5, 1.0, open * mix(0.65, 1.0, shade));
#elif JELLY
    // Light that went through: fainter and deeper in colour the longer the way.
    float way = 8.0 * way_through(side);  // in radii of the body: the map reaches over eight
    vec3 absorbed = -log(clamp(albedo, 0.004, 0.98));
    vec3 through = exp(-absorbed * (0.95 + 1.5 * way)) * exp(-0.5 * way);
    vec3 light = key * shade * wrapped(cosine, vec3(0.45, 0.3, 0.25)) + fill * wrapped(dot(n, to_fill_light), vec3(0.6)) + ambient;
    c = 0.26 * albedo * light;
    c += 0.50 * key * through * (0.35 + 0.65 * (1.0 - max(cosine, 0.0))) * mix(0.6, 1.0, near_ground);
    // What is seen through it, bent: the walls, tinted by the way the eye looks through, short at the rim.
    float depth = (1.0 - turned) * (1.0 - turned);
    c *= exp(-absorbed * 0.45 * depth);
    c += 0.42 * walls(refract(-v, n, 1.0 / 1.36), 0.25) * exp(-absorbed * (0.35 + 1.5 * depth)) * (0.25 + 0.75 * turned) * mix(0.5, 1.0, near_ground);
    c += (0.022 + 0.55 * grazing) * mirrored(reflect(-v, n), 0.03, 3.2, shade) * mix(open, 1.0, 0.35);
#endif
#endif

    c = shoulder(c);
    vec3 shown = display(c);
#ifdef WIRE
    float nearest = min(edges.x, min(edges.y, edges.z));
    float line = 1.0 - smoothstep(0.5 * line_width - 0.35, 0.5 * line_width + 0.55, nearest);
    shown *= 1.0 - vec3(0.66, 0.64, 0.58) * line * smoothstep(1.0, 8.0, grain);  // a mesh finer than its lines stays as it is
#endif
    colour = vec4(shown, 1.0);
}
