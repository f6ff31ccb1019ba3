#version 330 core
in vec2 place;
out vec4 colour;

// A little noise, less than one level, keeps the gradient from showing bands.
float noise(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))) - 0.5; }

void main() {
    vec3 low = vec3(0.830, 0.845, 0.862), high = vec3(0.935, 0.945, 0.958);
    vec3 c = mix(low, high, smoothstep(-1.0, 0.9, place.y));
    c *= 1.0 - 0.055 * dot(place, place) * 0.5;
    colour = vec4(c + noise(gl_FragCoord.xy) / 255.0, 1.0);
}
