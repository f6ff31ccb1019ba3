// A surface from a file: every triangle flat, both sides alike, the marked ones in a signal colour that glows through shade.
in vec3 world;
out vec4 colour;

uniform usamplerBuffer marks;  // by triangle
uniform vec3 eye, to_key_light, to_fill_light;

void main() {
    vec3 n = cross(dFdx(world), dFdy(world));
    float l = length(n);
    n = l > 0.0 ? n / l : vec3(0.0, 1.0, 0.0);
    vec3 v = normalize(eye - world);
    if (dot(n, v) < 0.0) n = -n;
    bool marked = texelFetch(marks, gl_PrimitiveID).r != 0u;
    float light = 0.42 + 0.16 * n.y + 0.55 * max(dot(n, to_key_light), 0.0) + 0.12 * max(dot(n, to_fill_light), 0.0);
    vec3 c = marked ? vec3(0.95, 0.04, 0.16) * (0.55 + 0.45 * light) : vec3(0.42, 0.46, 0.52) * light;
    colour = vec4(pow(c, vec3(1.0 / 2.2)), 1.0);
}
