// Put in front of every shader: what they share.

// Between 0 and 1, different for neighbouring pixels: hides steps between levels and between samples.
float noise(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

vec3 shoulder(vec3 c) { return c * (1.0 + c / 6.0) / (1.0 + 0.55 * c); }  // bright parts keep their hue
vec3 display(vec3 linear) { return pow(linear, vec3(1.0 / 2.2)); }

uniform float night;  // 0: a light room, 1: a dark one

// The studio's backdrop at a place of the picture, both coordinates from -1 to 1.
vec3 backdrop(vec2 place) {
    float high = smoothstep(-1.0, 0.9, place.y);
    vec3 day = mix(vec3(0.830, 0.845, 0.862), vec3(0.935, 0.945, 0.958), high);
    vec3 dark = mix(vec3(0.150, 0.162, 0.186), vec3(0.088, 0.096, 0.114), high);
    return mix(day, dark, night) * (1.0 - 0.0275 * dot(place, place));
}

// A lamp behind a square of cloth, seen in direction d: how much of it a surface sees that blurs its mirror image by `blur`.
float soft_box(vec3 d, vec3 to_lamp, vec3 across, vec2 half_size, float blur) {
    float ahead = dot(d, to_lamp);
    vec3 up = cross(to_lamp, across);
    vec2 p = abs(vec2(dot(d, across), dot(d, up))) / max(ahead, 0.05);
    vec2 edge = smoothstep(half_size + blur, max(half_size - blur, 0.0), p);
    return ahead > 0.0 ? edge.x * edge.y : 0.0;
}

// The walls without the lamps: floor, horizon, ceiling.
vec3 walls(vec3 d, float blur) {
    vec3 low = mix(vec3(0.36, 0.345, 0.33), vec3(0.050, 0.053, 0.060), night);
    vec3 level = mix(vec3(0.62, 0.645, 0.68), vec3(0.075, 0.082, 0.098), night);
    vec3 high = mix(vec3(0.93, 0.96, 1.00), vec3(0.16, 0.175, 0.205), night);
    vec3 c = mix(low, level, smoothstep(-0.35 - blur, 0.04 + blur, d.y));
    return mix(c, high, smoothstep(-0.05 - blur, 0.95 + 0.3 * blur, d.y));
}

// A point's place in the picture, with the depth of one `recede` farther from the eye.
vec4 receded(mat4 clip, vec3 x, vec3 eye, float recede) {
    vec4 place = clip * vec4(x, 1);
    if (recede > 0.0) {
        vec4 behind = clip * vec4(x + recede * normalize(x - eye), 1);
        place.z = behind.z / behind.w * place.w;
    }
    return place;
}
