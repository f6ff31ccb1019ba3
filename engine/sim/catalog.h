#pragma once
// What there is to choose from, for command line and panels: app/ sees the engine through sim/ only.
#include "engine/integrate/methods.h"
#include "engine/mesh/io/mesh_file.h"
#include "engine/mesh/io/obj.h"
#include "engine/mesh/surface/repair.h"
#include "engine/mesh/volume/body_mesh.h"
#include "engine/model/elastic_models.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/forces.h"
