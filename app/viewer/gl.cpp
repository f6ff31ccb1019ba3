#include "app/viewer/gl.h"

#include "app/viewer/shaders.h"

#include <array>

namespace wobble {

namespace {

void delete_shader(GLuint id) { glDeleteShader(id); }
using Shader = GlObject<delete_shader>;

template <class Object, auto& generate>
Object make() {
    GLuint id = 0;
    generate(1, &id);
    return Object(id);
}

std::string_view find(std::span<const EmbeddedText> files, std::string_view name) {
    for (const EmbeddedText& file : files)
        if (file.name == name) return file.text;
    return {};
}

Result<Shader> compile(const std::string& name, GLenum stage) {
    const bool vertex = stage == GL_VERTEX_SHADER;
    const std::string file = name + (vertex ? ".vert" : ".frag");
    const std::string_view source = find(vertex ? vertex_shaders() : fragment_shaders(), name);
    if (source.empty()) return Error{"The shader " + file + " is not part of this program; build it again."};
    Shader shader(glCreateShader(stage));
    const std::string_view parts[] = {"#version 330 core\n", find(shared_shaders(), "studio"), "\n#line 1\n", source};
    const char* texts[4];
    GLint lengths[4];
    for (int i = 0; i < 4; ++i) texts[i] = parts[i].data(), lengths[i] = static_cast<GLint>(parts[i].size());
    glShaderSource(shader.id(), 4, texts, lengths);
    glCompileShader(shader.id());
    GLint good = 0;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &good);
    if (good) return shader;
    std::array<char, 2000> log{};
    glGetShaderInfoLog(shader.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    return Error{"The graphics driver refuses the shader " + file + ": " + log.data()};
}

}  // namespace

GlBuffer make_buffer() { return make<GlBuffer, glGenBuffers>(); }
GlVertexArray make_vertex_array() { return make<GlVertexArray, glGenVertexArrays>(); }
GlTexture make_texture() { return make<GlTexture, glGenTextures>(); }
GlSampler make_sampler() { return make<GlSampler, glGenSamplers>(); }
GlRenderbuffer make_renderbuffer() { return make<GlRenderbuffer, glGenRenderbuffers>(); }
GlFramebuffer make_framebuffer() { return make<GlFramebuffer, glGenFramebuffers>(); }

Result<Program> Program::make(const std::string& vertex_name, const std::string& fragment_name) {
    const auto vertex = compile(vertex_name, GL_VERTEX_SHADER);
    if (!vertex) return vertex.error();
    const auto fragment = compile(fragment_name, GL_FRAGMENT_SHADER);
    if (!fragment) return fragment.error();
    Handle program(glCreateProgram());
    glAttachShader(program.id(), vertex.value().id());
    glAttachShader(program.id(), fragment.value().id());
    glLinkProgram(program.id());
    GLint good = 0;
    glGetProgramiv(program.id(), GL_LINK_STATUS, &good);
    if (good) return Program(std::move(program));
    std::array<char, 2000> log{};
    glGetProgramInfoLog(program.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    return Error{"The graphics driver cannot link " + vertex_name + ".vert with " + fragment_name + ".frag: " + log.data()};
}

void Program::set(const char* uniform, float value) const { glUniform1f(glGetUniformLocation(program_.id(), uniform), value); }
void Program::set(const char* uniform, int value) const { glUniform1i(glGetUniformLocation(program_.id(), uniform), value); }
void Program::set(const char* uniform, const Eigen::Vector2f& v) const {
    glUniform2f(glGetUniformLocation(program_.id(), uniform), v.x(), v.y());
}
void Program::set(const char* uniform, const Vec3f& v) const {
    glUniform3f(glGetUniformLocation(program_.id(), uniform), v.x(), v.y(), v.z());
}
void Program::set(const char* uniform, const Eigen::Matrix4f& m) const {
    glUniformMatrix4fv(glGetUniformLocation(program_.id(), uniform), 1, GL_FALSE, m.data());
}

}  // namespace wobble
