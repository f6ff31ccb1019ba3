#pragma once
// What there is to choose from, for command line and panels: app/ sees the engine through sim/ only.
#include "engine/integrate/methods.h"
#include "engine/mesh/body.h"
#include "engine/mesh/obj.h"
#include "engine/mesh/repair.h"
#include "engine/sim/forces.h"
#include "engine/sim/scene_file.h"
