/* A material in real units, turned into masses of particles and compliances of links.
 *
 * A sheet's structural links are springs along its two directions, its shear links springs along the
 * diagonals of its cells. With k_s and k_d newtons per metre each and square cells, a strip of the
 * sheet that is free to narrow has, per metre of width, the stretch stiffness
 *
 *     Y = (k_s^2 + 2 k_s k_d) / (k_s + k_d)       and the shear stiffness       G = k_d
 *
 * whatever the spacing; links on a border, which stand for half a cell's width, have half of that. A
 * mesh's edge e has k_e = Y (area of its triangles) / |e|^2 (van Gelder 1998, "Approximate simulation
 * of elastic membranes by triangulated spring meshes"): exact for equilateral triangles.
 *
 * Bending. A sheet's element on three particles of spacing s stands for the area A = s^2 around the middle
 * one (half of that on a border). With the bend stiffness B and the curvature k = |x0 - 2 x1 + x2| / s^2 it
 * holds B k^2 A / 2 = |d|^2 / (2 compliance) for d = x0 - 2 x1 + x2 and
 *
 *     compliance = s^4 / (A B)
 *
 * For meshes see mesh_hinges.c. 1e-5 newton metres, the default, is a shirt's cotton: 0.1 gf cm^2/cm on
 * Kawabata's scale; held out over an edge, a strip of 0.2 kg/m^2 sinks by an eighth of its length at a
 * length of (1e-5 / (0.2 9.81))^(1/3) = 1.7 cm. A cloth without it would crumple as finely as its
 * resolution allows, which no material does; so it is not 0 by default. */
#ifndef WEFT_SCENE_MATERIAL_H
#define WEFT_SCENE_MATERIAL_H

#include "base/result.h"
#include "weft/weft.h"

/* `field` names the def's field that points to the material. NULL is no error. */
weft_result weft__check_material(const weft_material* material, const char* field);

/* Metres per newton of a link of so many newtons per metre, which may be infinite. */
float weft__compliance_of(double stiffness);

/* The newtons per metre of a structural link inside a sheet. */
double weft__structural_stiffness(const weft_material* material, bool has_shear);

#endif
