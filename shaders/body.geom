// Adds to each corner its distance from the three edges in pixels: lines of even width, smooth at any sampling, without a second pass.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

uniform vec2 picture;  // pixels

in Corner {
    vec3 world, normal, in_light, light_offset;
    float held;
#ifdef FIELD
    float value;
#endif
#ifdef OWN_COLOURS
    vec4 own_colour;
    vec2 own_place;
#endif
} from[];
out Corner {
    vec3 world, normal, in_light, light_offset;
    float held;
#ifdef FIELD
    float value;
#endif
#ifdef OWN_COLOURS
    vec4 own_colour;
    vec2 own_place;
#endif
} corner;
noperspective out vec3 edges;  // pixels
flat out float grain;          // pixels, the triangle's height: lines of triangles as small as that would cover them

vec2 pixel(int i) { return 0.5 * picture * gl_in[i].gl_Position.xy / max(gl_in[i].gl_Position.w, 1e-6); }

void main() {
    vec2 a = pixel(0), b = pixel(1), c = pixel(2);
    vec2 u = b - a, v = c - a;
    float area = abs(u.x * v.y - u.y * v.x);
    vec3 sides = max(vec3(length(c - b), length(v), length(u)), 1e-6);
    vec3 heights = area / sides;
    // Behind the eye there are no pixels: no lines there.
    bool seen = gl_in[0].gl_Position.w > 0.0 && gl_in[1].gl_Position.w > 0.0 && gl_in[2].gl_Position.w > 0.0;
    for (int i = 0; i < 3; ++i) {
        corner.world = from[i].world;
        corner.normal = from[i].normal;
        corner.in_light = from[i].in_light;
        corner.light_offset = from[i].light_offset;
        corner.held = from[i].held;
#ifdef FIELD
        corner.value = from[i].value;
#endif
#ifdef OWN_COLOURS
        corner.own_colour = from[i].own_colour;
        corner.own_place = from[i].own_place;
#endif
        edges = seen ? vec3(i == 0 ? heights.x : 0.0, i == 1 ? heights.y : 0.0, i == 2 ? heights.z : 0.0) : vec3(1e3);
        grain = min(heights.x, min(heights.y, heights.z));
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
    EndPrimitive();
}
