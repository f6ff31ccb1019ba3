#version 330 core
// A grid of even line width that fades into the background, and the body's shadow on it. Blended over the background.
in vec3 world;
in vec3 in_light;
out vec4 colour;

uniform sampler2DShadow shadow_map;
uniform vec3 centre, body;
uniform float body_radius, reach, spacing, shadow_strength;

const int taps = 24;

// Softer with the distance from the thing that casts it: taps on a sunflower disc.
float shadow() {
    if (any(greaterThan(abs(in_light.xy - 0.5), vec2(0.56)))) return 0.0;
    float spread = 0.012 + 0.02 * clamp(length(world - body) / body_radius - 0.6, 0.0, 1.5);
    float sum = 0.0;
    for (int i = 0; i < taps; ++i) {
        float r = spread * sqrt((float(i) + 0.5) / float(taps)), a = 2.3999632 * float(i);
        sum += texture(shadow_map, vec3(in_light.xy + r * vec2(cos(a), sin(a)), in_light.z - 0.001));
    }
    return 1.0 - sum / float(taps);
}

// Coverage of lines at multiples of `step`, `width` pixels wide; fades out where cells become smaller than a few pixels.
float grid(float step, float width) {
    vec2 p = world.xz / step, change = fwidth(p);
    vec2 nearest = abs(fract(p - 0.5) - 0.5) / max(change, 1e-6);
    vec2 line = clamp(0.5 * width + 0.5 - nearest, 0.0, 1.0) * (1.0 - smoothstep(0.12, 0.45, change));
    return max(line.x, line.y);
}

void main() {
    float away = length(world.xz - centre.xz) / reach;
    float fade = 1.0 - smoothstep(0.15, 1.0, away);
    if (fade <= 0.0) discard;
    float lines = max(0.16 * grid(spacing, 1.0), 0.30 * grid(10.0 * spacing, 1.4));
    float close = 1.0 - smoothstep(0.0, 1.35 * body_radius, length(world - vec3(body.x, body.y, body.z)) - 0.25 * body_radius);
    float dark = shadow_strength * (0.50 * shadow() + 0.16 * close * close);  // key light's shadow; sky hidden by the body
    vec3 floor_colour = vec3(0.800, 0.815, 0.835);
    float floor_alpha = 0.35 * fade;
    vec3 ink = vec3(0.20, 0.24, 0.31);
    float ink_alpha = lines * fade * fade;
    vec3 shadow_colour = vec3(0.13, 0.14, 0.19);
    float shadow_alpha = dark * fade;
    // Floor, then lines, then shadow, over one another; the blending stage puts them over the background.
    vec3 c = floor_colour * floor_alpha;
    float a = floor_alpha;
    c = mix(c, ink, ink_alpha);
    a = mix(a, 1.0, ink_alpha);
    c = mix(c, shadow_colour, shadow_alpha);
    a = mix(a, 1.0, shadow_alpha);
    colour = vec4(c / max(a, 1e-4), a);
}
