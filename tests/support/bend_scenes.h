/* Scenes of cloth that resists bending. */
#ifndef TESTS_SUPPORT_BEND_SCENES_H
#define TESTS_SUPPORT_BEND_SCENES_H

#include "scene/scene.h"
#include "support/scenes.h"

weft_material_def bend_material(float bend_stiffness);

weft_world_def direct_def(void);

/* A sheet in the plane z = 0, spacing 0.01, of a material with this bend stiffness. */
weft_body add_bend_sheet(weft_scene* scene, uint32_t columns, uint32_t rows, float bend_stiffness);

/* A net of columns x rows vertices, 0.01 apart, in the plane z = 0: equilateral triangles, or
 * squares cut along a diagonal. A `radius` other than 0 rolls it onto a cylinder. */
weft_body add_bend_net(weft_scene* scene, uint32_t columns, uint32_t rows, bool equilateral,
                       float radius, float bend_stiffness);

/* A mesh of columns x rows vertices at these positions, row by row, its cells cut along a diagonal;
 * the rest by the def. */
weft_body add_grid_mesh(weft_scene* scene, const weft_mesh_def* def, uint32_t columns,
                        uint32_t rows, const float* positions);

/* Displaces each particle of a scene by a random vector of up to `size` metres. */
void crumple(weft_scene* scene, random_source* random, float size);

/* Sheets of many sizes, nets and mixtures of both, and a fan of triangles, [0, BEND_CASES). */
enum { BEND_CASES = 25 };
weft_scene* new_bend_case(int number);

#endif
