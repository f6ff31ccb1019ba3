// A grid of even line width that fades into the background, and the body's shadow on it. Opaque: the backdrop is part of it.
in vec3 world;
in vec2 in_light;
out vec4 colour;

uniform sampler2D ground_shadow;
uniform vec3 centre, body;
uniform vec2 corner, picture;  // pixels: lower left corner and size
uniform float body_radius, reach, spacing, shadow_strength;

float key_shadow() {  // four samples smooth what is left of the noise
    float r = 1.1 / float(textureSize(ground_shadow, 0).x);
    return 0.25 * (texture(ground_shadow, in_light + vec2(r, 0.4 * r)).r + texture(ground_shadow, in_light + vec2(-r, -0.4 * r)).r +
                   texture(ground_shadow, in_light + vec2(-0.4 * r, r)).r + texture(ground_shadow, in_light + vec2(0.4 * r, -r)).r);
}

// The part of the sky a sphere in the body's place would hide: cosine times its solid angle.
float sky_shadow() {
    vec3 d = body - world;
    float l = length(d), r = 0.62 * body_radius;
    return clamp(d.y / l * r * r / (l * l), 0.0, 1.0);
}

// Coverage of lines at multiples of `step`, `width` pixels wide; fades out where cells become smaller than a few pixels.
float grid(vec2 p, vec2 change, float width) {
    vec2 nearest = abs(fract(p - 0.5) - 0.5) / max(change, 1e-6);
    vec2 line = clamp(0.5 * width + 0.5 - nearest, 0.0, 1.0) * (1.0 - smoothstep(0.12, 0.45, change));
    return max(line.x, line.y);
}

void main() {
    float away = length(world.xz - centre.xz) / reach;
    float fade = 1.0 - smoothstep(0.15, 1.0, away);
    vec2 p = world.xz / spacing, change = fwidth(p);
    float lines = max(0.13 * grid(p, change, 1.0), 0.26 * grid(0.1 * p, 0.1 * change, 1.4));
    float dark = 0.0;
    if (shadow_strength > 0.0) dark = shadow_strength * (1.0 - (1.0 - 0.52 * key_shadow()) * (1.0 - 0.42 * sky_shadow()));
    vec3 c = backdrop(2.0 * (gl_FragCoord.xy - corner) / picture - 1.0);
    c = mix(c, mix(vec3(0.800, 0.815, 0.835), vec3(0.185, 0.198, 0.222), night), 0.35 * fade);
    c = mix(c, mix(vec3(0.20, 0.24, 0.31), vec3(0.62, 0.67, 0.74), night), lines * fade * fade);
    c = mix(c, mix(vec3(0.13, 0.14, 0.19), vec3(0.018, 0.020, 0.026), night), dark * fade);
    colour = vec4(c + (noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
