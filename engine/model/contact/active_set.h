#pragma once
// Contact of vertices with obstacles by an active set: a vertex that touches may not move along the normal n within the step, it slides on
// the tangent plane; what its neighbours do to it there is exactly what the method makes of a constraint (constraints.h), so that long
// steps bounce as the body does.
//     begin   a touching vertex goes with the obstacle: its normal velocity takes it to where the surface is at the end of the step. A free
//             one whose flight x + h v + h^2/2 g ends inside is made to arrive at the surface then, v_n = (gap)/h.
//     repeat  vertices that ended deeper than the slop are made to arrive, too, and the step is done again.
//     end     arrived ones lose their normal velocity relative to the obstacle, but for a share given back by the restitution e; a vertex
//             whose reaction lambda = -n.f would pull is released.
// Nothing is ever pushed out by a distance that stores energy: what lies inside by less than the slop stays there.
// Friction (Coulomb): a touching vertex sticks, and is then held to the obstacle, while |lambda_t| <= mu lambda_n; one that slides feels
// the force -mu lambda_n t, t the direction of its last motion along the surface, and sticks when it turns back. An impact also takes
// tangential velocity, up to mu times the normal impulse. Energy: cut velocities and what the surface took while vertices arrived are
// impact losses, the work of sliding forces is friction, and the reactions' work on moving obstacles is supplied.
#include "engine/model/constraints.h"
#include "engine/model/contact/obstacle.h"
#include "engine/model/state.h"
#include "engine/model/step_books.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wobble {

// What happens where surfaces touch, per body.
struct TouchLaw {
    double friction = 0.5;    // mu
    double restitution = 0;   // e
    double thickness = 0.01;  // m
    double offset = 0;        // m, from a vertex to the surface that touches: half of a sheet's thickness, so that it lies on what is drawn
    bool operator==(const TouchLaw&) const = default;
};

// What changes of velocity by impulses J at mean velocities v do, against something that moves with u: J.v of energy, of it J.u by what
// moves, the rest is lost.
struct Exchange {
    double lost = 0, supplied = 0;
    void add(const Vec3& J, const Vec3& v, const Vec3& u) { supplied += J.dot(u), lost -= J.dot(v - u); }
};

class ActiveSet {
public:
    // Vertices that can touch, and the law each goes by.
    struct Vertex {
        int particle, law;
    };
    void set_vertices(std::vector<Vertex> vertices) { vertices_ = std::move(vertices); }
    void set_laws(std::vector<TouchLaw> laws) { laws_ = std::move(laws); }
    void set_obstacles(std::vector<Obstacle>);
    const std::vector<Obstacle>& obstacles() const { return obstacles_; }
    bool active() const { return !obstacles_.empty() && !vertices_.empty(); }
    bool begun() const { return begun_; }  // a step: steps taken without begin() know nothing of obstacles

    // The hand on an obstacle: its position is to come to `target`; it follows at a bounded speed. None: -1.
    void drag(int obstacle, const Vec3& target) { dragged_ = obstacle, target_ = target; }
    void release() { dragged_ = -1; }
    int dragged() const { return dragged_; }

    // State::internal beyond `first` belongs to it: how many vertices touch and how, where dragged obstacles are. Of any length; empty:
    // none.
    Pose pose_at(const State&, int first, int obstacle) const;
    // Of an obstacle that is taken away: those after it get the numbers before; what touches is found anew.
    static void remove_obstacle(VecX& internal, int first, int obstacle);

    // What a step works with and may change: the velocities of `state` in forbidden directions, the external force, the constraints.
    struct Step {
        const VecX& mass;
        double gravity;
        int first_internal;
        double h;
        const State& state;
        VecX& external;
        Constraints& constraints;
        VecX* velocities;  // the state's; null: no longer to be changed
    };
    void begin(Step&);
    enum class Verdict { good, repeat, too_deep };
    Verdict judge(Step&, const State& after);                            // after a method's step from there
    void end(const Step&, State& after, const VecX& force, StepBooks&);  // force at `after`, without external ones
    void take() { begun_ = false, given_.clear(); }                      // the step is taken
    bool wants_force(const Step&, const State& after) const;             // for end()
    void undo(VecX& velocities);                                         // the velocities it changed; before another try from there

    bool touches() const { return !touching_.empty(); }
    bool touched() const { return touched_; }  // at any time of the last step, taken or not
    bool changed() const { return changed_; }  // the last step's set is not that of the step before it

    // What is seen of the last finished step.
    struct Seen {
        int particle, obstacle;
        Vec3 force;  // N, on the body
    };
    const std::vector<Seen>& seen() const { return seen_; }
    double seconds() const { return seconds_; }  // wall time of all this since it was made
    double deepest() const { return deepest_; }  // m, of the last finished step

    // The longest step, s, before the first vertex of a body that touches nothing yet arrives; a long time if none does within `asked`.
    double first_touch(const State&, int first_internal, double gravity, double asked) const;

private:
    enum class Mode { slides, sticks };
    struct Touch {
        int vertex = 0, particle = 0, obstacle = 0;
        Mode mode = Mode::slides;
        double reaction = 0;        // lambda_n, N, at the begin of the step
        Vec3 along = Vec3::Zero();  // t; zero: unknown
        Vec3 normal = Vec3::UnitY();
        Vec3 carried = Vec3::Zero();  // velocity of the obstacle there, m/s: its mean over the step
        double speed = 0;             // v_n prescribed, m/s
        bool arrives = false;
        Vec3 friction = Vec3::Zero();  // N, within the step
    };
    struct Given {  // a velocity that begin() or judge() replaced
        int particle;
        Vec3 velocity;
    };

    void read(const VecX& internal, int first);
    void write(VecX& internal, int first) const;
    void place_obstacles(double t, double h);
    void plan(Touch&, const Step&, const Vec3& predicted) const;
    void predict_arrivals(const Step&);
    void set_constraints(Step&);
    void sort_touching(std::size_t known);
    template <class Each>
    void for_free(const State& after, const Constraints&, Each&&) const;
    const TouchLaw& law(int vertex) const { return laws_[static_cast<std::size_t>(vertices_[static_cast<std::size_t>(vertex)].law)]; }
    double slop(int vertex) const { return 0.02 * law(vertex).thickness; }
    Nearest near(int vertex, int obstacle, const Pose&, const Vec3& x) const;  // of the vertex's surface
    double friction(const Touch&) const;
    void decide(Touch&, const Vec3& moved, Vec3& v, double normal_impulse, double lambda, const Vec3& pull, double m, Exchange&) const;

    std::vector<Vertex> vertices_;
    std::vector<TouchLaw> laws_{TouchLaw{}};
    std::vector<Obstacle> obstacles_;
    int dragged_ = -1;
    Vec3 target_ = Vec3::Zero();

    // Of the step under way.
    std::vector<Vec3> offset_, drift_;  // of each obstacle: dragged so far, m, and its velocity by that, m/s
    std::vector<Pose> from_, to_;       // of each obstacle, at the ends of the step
    std::vector<Touch> touching_;       // by vertex, then by obstacle
    std::vector<Given> given_;
    std::vector<Constraint> forbidden_;
    VecX outer_;  // the external force with its parts in forbidden directions
    int rounds_ = 0;
    bool begun_ = false, changed_ = false, touched_ = false;
    std::vector<Seen> seen_;
    double deepest_ = 0, seconds_ = 0;
};

}  // namespace wobble
