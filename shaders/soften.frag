// Shadow on the ground, per texel of the light's view: search what casts it, blur by its distance.
in vec2 place;
out float shadow;

uniform sampler2DShadow shadow_map;
uniform sampler2D depths;  // the same map, read as depths
uniform float margin, ground_offset, ground_slope, depth_reach;

const float light_size = 0.20;  // tangent of the light's half angle
const int search_taps = 12, taps = 24;

void main() {
    vec2 at = place * margin;
    float z = (ground_offset + ground_slope * at.y) * 0.5 + 0.5;
    float turn = 6.2831853 * noise(gl_FragCoord.xy);
    // Widest possible blur: from the top of what the light sees.
    float gap_sum = 0.0, hits = 0.0;
    float widest = 0.22;
    for (int i = 0; i < search_taps; ++i) {
        float r = widest * sqrt((float(i) + 0.5) / float(search_taps)), a = 2.3999632 * float(i) + turn;
        float d = texture(depths, (at + r * vec2(cos(a), sin(a))) * 0.5 + 0.5).r;
        if (d < z - 0.002) {
            gap_sum += z - d;
            hits += 1.0;
        }
    }
    if (hits == 0.0) {
        shadow = 0.0;
        return;
    }
    float gap = 2.0 * depth_reach * gap_sum / hits;  // in radii of the map
    float spread = clamp(light_size * gap, 0.008, widest);
    float lit = 0.0;
    for (int i = 0; i < taps; ++i) {
        float r = spread * sqrt((float(i) + 0.5) / float(taps)), a = 2.3999632 * float(i) + turn;
        lit += texture(shadow_map, vec3((at + r * vec2(cos(a), sin(a))) * 0.5 + 0.5, z - 0.001));
    }
    shadow = 1.0 - lit / float(taps);
}
