layout(location = 0) in vec3 position;
uniform mat4 clip;
uniform vec3 eye;
uniform float recede;
invariant gl_Position;
void main() { gl_Position = receded(clip, position, eye, recede); }
