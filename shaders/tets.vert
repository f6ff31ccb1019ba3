layout(location = 0) in vec3 position;
layout(location = 1) in vec3 rest;  // shares of the body's extent
layout(location = 2) in float value;
out Particle {
    vec3 world, rest;
    float value;
} particle;
void main() {
    particle.world = position;
    particle.rest = rest;
    particle.value = value;
    gl_Position = vec4(position, 1);
}
