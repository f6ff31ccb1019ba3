// Put in front of every shader: what they share.

// Between 0 and 1, different for neighbouring pixels: hides steps between levels and between samples.
float noise(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

uniform float night;  // 0: a light room, 1: a dark one

// The studio's backdrop at a place of the picture, both coordinates from -1 to 1.
vec3 backdrop(vec2 place) {
    vec3 c = mix(vec3(0.830, 0.845, 0.862), vec3(0.935, 0.945, 0.958), smoothstep(-1.0, 0.9, place.y));
    c = mix(c, mix(vec3(0.135, 0.146, 0.165), vec3(0.085, 0.093, 0.110), smoothstep(-1.0, 0.9, place.y)), night);
    return c * (1.0 - 0.0275 * dot(place, place));
}
