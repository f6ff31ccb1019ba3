#pragma once
// OpenGL objects that delete themselves, and shader programs from the embedded files of shaders/.
// Everything here needs a current OpenGL 3.3 core context whose functions are loaded, also for destruction.
#include "engine/core/result.h"
#include "engine/core/types.h"

#include <glad/gl.h>

#include <string>
#include <utility>

namespace wobble {

template <void (*delete_object)(GLuint)>
class GlObject {
public:
    GlObject() = default;
    explicit GlObject(GLuint id) : id_(id) {}
    GlObject(GlObject&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    GlObject& operator=(GlObject&& other) noexcept { return std::swap(id_, other.id_), *this; }
    ~GlObject() {
        if (id_) delete_object(id_);
    }
    GLuint id() const { return id_; }

private:
    GLuint id_ = 0;
};

inline void delete_buffer(GLuint id) { glDeleteBuffers(1, &id); }
inline void delete_vertex_array(GLuint id) { glDeleteVertexArrays(1, &id); }
inline void delete_texture(GLuint id) { glDeleteTextures(1, &id); }
inline void delete_renderbuffer(GLuint id) { glDeleteRenderbuffers(1, &id); }
inline void delete_framebuffer(GLuint id) { glDeleteFramebuffers(1, &id); }
inline void delete_sampler(GLuint id) { glDeleteSamplers(1, &id); }
inline void delete_program(GLuint id) { glDeleteProgram(id); }

using GlBuffer = GlObject<delete_buffer>;
using GlVertexArray = GlObject<delete_vertex_array>;
using GlTexture = GlObject<delete_texture>;
using GlSampler = GlObject<delete_sampler>;
using GlRenderbuffer = GlObject<delete_renderbuffer>;
using GlFramebuffer = GlObject<delete_framebuffer>;

GlBuffer make_buffer();
GlVertexArray make_vertex_array();
GlTexture make_texture();
GlSampler make_sampler();
GlRenderbuffer make_renderbuffer();
GlFramebuffer make_framebuffer();

class Program {
public:
    // From shaders/VERTEX.vert, GEOMETRY.geom (none: ""), FRAGMENT.frag; `defines` are lines put in front of all of them.
    static Result<Program> make(const std::string& vertex, const std::string& geometry, const std::string& fragment,
                                const std::string& defines = "");
    Program() = default;  // draws nothing

    void use() const { glUseProgram(program_.id()); }
    void set(const char* uniform, float) const;  // after use()
    void set(const char* uniform, int) const;
    void set(const char* uniform, bool value) const { set(uniform, value ? 1.0f : 0.0f); }
    void set(const char* uniform, const Eigen::Vector2f&) const;
    void set(const char* uniform, const Vec3f&) const;
    void set(const char* uniform, const Eigen::Matrix4f&) const;

private:
    using Handle = GlObject<delete_program>;
    explicit Program(Handle program) : program_(std::move(program)) {}
    Handle program_;
};

}  // namespace wobble
