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
 * of elastic membranes by triangulated spring meshes"): exact for equilateral triangles. */
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
