#pragma once
// What a run starts from: the equations of motion and the initial state of a loaded scene, and the options its methods are made
// with. The World, the studies and the export all start here, so that they speak of the same body.
#include "engine/integrate/integrator.h"
#include "engine/model/drivers/drivers.h"
#include "engine/model/drivers/moving_pins.h"
#include "engine/model/mechanical_system.h"
#include "engine/scene/loaded_scene.h"

#include <memory>

namespace wobble {

// Threads that pay off for this body, at most `threads` (0: all cores). The bits of a motion do not depend on their number.
std::shared_ptr<Workers> make_workers(const LoadedScene&, int threads, std::stop_token = {});
std::unique_ptr<MechanicalSystem> make_system(const LoadedScene&, std::shared_ptr<Workers>);  // with the scene's pins
std::unique_ptr<MechanicalSystem> make_system(const LoadedScene&, const RunSettings&, Constraints, std::shared_ptr<Workers>);
MovingPins moving_pins(const LoadedScene&, const RunSettings&);
std::vector<BodyPart> parts_of(const LoadedScene&, const RunSettings&);
void set_materials(MechanicalSystem&, const RunSettings&);                    // of all bodies
void set_contact(MechanicalSystem&, const LoadedScene&, const RunSettings&);  // what can touch obstacles, by which law, and these
Drivers make_drivers(const LoadedScene&);  // hand (which holds nothing), wind, moving pins, in this order
State initial_state(const LoadedScene&, const MechanicalSystem&);
State initial_state(const LoadedScene&, const Constraints&);  // the same before there is a system; makes the forces if a scene adds some
IntegratorOptions integrator_options(const Scene&);

// Highest natural frequency of the tangent at the initial state, rad/s. The system looks at that state, whatever it looked at before, so
// that the result depends on the scene and the materials alone.
double highest_frequency(const LoadedScene&, MechanicalSystem&);

}  // namespace wobble
