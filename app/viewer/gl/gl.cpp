#include "app/viewer/gl/gl.h"

#include "app/viewer/gl/shaders.h"

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

struct Viewport {
    GLenum kind;
    const char* suffix;
    std::span<const EmbeddedText> files;
};

Result<Shader> compile(const std::string& name, const Viewport& stage, const std::string& defines) {
    const std::string file = name + stage.suffix;
    const std::string_view source = find(stage.files, name);
    if (source.empty()) return Error{"The shader " + file + " is not part of this program; build it again."};
    Shader shader(glCreateShader(stage.kind));
    const std::string_view parts[] = {"#version 330 core\n", defines, find(shared_shaders(), "studio"), "\n#line 1\n", source};
    const char* texts[5];
    GLint lengths[5];
    for (int i = 0; i < 5; ++i) texts[i] = parts[i].data(), lengths[i] = static_cast<GLint>(parts[i].size());
    glShaderSource(shader.id(), 5, texts, lengths);
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

Result<Program> Program::make(const std::string& vertex, const std::string& geometry, const std::string& fragment,
                              const std::string& defines) {
    const Viewport stages[] = {{GL_VERTEX_SHADER, ".vert", vertex_shaders()},
                               {GL_GEOMETRY_SHADER, ".geom", geometry_shaders()},
                               {GL_FRAGMENT_SHADER, ".frag", fragment_shaders()}};
    const std::string* names[] = {&vertex, &geometry, &fragment};
    Handle program(glCreateProgram());
    for (int i = 0; i < 3; ++i) {
        if (names[i]->empty()) continue;
        const auto shader = compile(*names[i], stages[i], defines);
        if (!shader) return shader.error();
        glAttachShader(program.id(), shader.value().id());  // deleted together with the program
    }
    glLinkProgram(program.id());
    GLint good = 0;
    glGetProgramiv(program.id(), GL_LINK_STATUS, &good);
    if (good) return Program(std::move(program));
    std::array<char, 2000> log{};
    glGetProgramInfoLog(program.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    return Error{"The graphics driver cannot link " + vertex + ".vert with " + fragment + ".frag: " + log.data()};
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
