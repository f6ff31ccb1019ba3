#pragma once
// `wobble export`: the assembled system of a scene at its initial state, for SciPy, MATLAB, ParaView and independent checks.
//   M.mtx        mass matrix, Matrix Market, symmetric: diagonal, one entry per coordinate (3 i, 3 i + 1, 3 i + 2 are x, y, z of
//                particle i)
//   K.mtx        tangent stiffness K = -df/dq of the elastic force at the initial positions, Matrix Market, symmetric (lower triangle).
//                Both are those of the free body, held particles included: to apply the pins, delete rows and columns of pinned particles.
//   nodes.csv    x,y,z,mass,pinned,vx,vy,vz,body: one line per particle, in the order of the matrices; pinned 1: held; body from 0
//   springs.csv  p0..p3,w0..w3,stiffness,rest_length,kind,stiffening: d = sum_a w_a x[p_a] (p = -1: unused), l = |d|, e = l - rest_length;
//                each spring adds -w_a k (e + stiffening e^3 / rest_length^2) d / l to the force on particle p_a
//   force.csv    fx,fy,fz: elastic force and gravity at the initial state, N
//   deformed.csv ux,uy,uz,fx,fy,fz: a displacement from nodes.csv's positions X that strains every spring, and elastic force and gravity
//                there: u = L/30 (sin(2 pi Y/L), sin(2 pi Z/L), sin(2 pi X/L)), m, L the diagonal of the body's box
//   mesh.vtu     the particles with their tetrahedra (sheets: triangles), mass, pinned, velocity, force and body, for ParaView
//   system.json  counts, all parameters, body model, wind with its law, moving pins, initial velocity, the equation, names of the files;
//                of several bodies the list "bodies", each with its name, first particle, number of particles and all that is its own
#include "engine/core/folder.h"
#include "engine/scene/loaded_scene.h"

#include <memory>

namespace wobble {

// The files, ready to be written; they keep what they need alive.
std::vector<FileToWrite> system_files(std::shared_ptr<const LoadedScene>);

}  // namespace wobble
