// A tetrahedron as four flat triangles, drawn a little smaller than it is, so that the gaps show where it ends; none if it is cut away.
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 12) out;

uniform mat4 clip, light_clip;
uniform vec3 cut_normal;  // of the plane, in shares of the body's extent at rest
uniform vec3 eye;
uniform float cut_offset, shrink, recede;

in Particle {
    vec3 world, rest;
    float value;
} from[];
#ifndef DEPTH
out Face {
    vec3 world, in_light;
    float value;
} face;
flat out vec3 face_normal;
noperspective out vec3 edges;  // pixels
flat out float grain;          // pixels
uniform vec2 picture;          // pixels
#endif

vec3 middle;

void corner(int i, vec3 normal, vec3 edge, float height) {
    vec3 x = mix(from[i].world, middle, shrink);
#ifndef DEPTH
    face.world = x;
    face.in_light = (light_clip * vec4(x, 1)).xyz * 0.5 + 0.5;
    face.value = from[i].value;
    face_normal = normal;
    edges = edge;
    grain = height;
#endif
    gl_Position = receded(clip, x, eye, recede);
    EmitVertex();
}

#ifndef DEPTH
vec2 pixel(int i) {
    vec4 p = clip * vec4(mix(from[i].world, middle, shrink), 1);
    return 0.5 * picture * p.xy / max(p.w, 1e-6);
}
#endif

void side(int a, int b, int c, int opposite) {
    vec3 n = cross(from[b].world - from[a].world, from[c].world - from[a].world);
    if (dot(n, from[opposite].world - from[a].world) > 0.0) n = -n;
    n /= max(length(n), 1e-30);
    vec3 heights = vec3(0.0);
#ifndef DEPTH
    vec2 p = pixel(a), u = pixel(b) - p, v = pixel(c) - p;
    heights = abs(u.x * v.y - u.y * v.x) / max(vec3(length(v - u), length(v), length(u)), 1e-6);
#endif
    float least = min(heights.x, min(heights.y, heights.z));
    corner(a, n, vec3(heights.x, 0.0, 0.0), least);
    corner(b, n, vec3(0.0, heights.y, 0.0), least);
    corner(c, n, vec3(0.0, 0.0, heights.z), least);
    EndPrimitive();
}

void main() {
    vec3 rest = 0.25 * (from[0].rest + from[1].rest + from[2].rest + from[3].rest);
    if (dot(rest, cut_normal) > cut_offset) return;
    middle = 0.25 * (from[0].world + from[1].world + from[2].world + from[3].world);
    side(0, 1, 2, 3);
    side(0, 3, 1, 2);
    side(0, 2, 3, 1);
    side(1, 3, 2, 0);
}
