/* Scenes to test on: sheets of many sizes, random graphs, random meshes, and mixtures. */
#ifndef TESTS_SUPPORT_SCENES_H
#define TESTS_SUPPORT_SCENES_H

#include <stdint.h>

#include "support/defs.h"
#include "support/random.h"
#include "weft/weft.h"

enum { STRUCTURAL = 1, SHEAR = 2, BEND = 4, ALL_FAMILIES = 7 };

weft_scene* new_scene(void);

/* A sheet with these families of links, offset along z so that bodies do not coincide. */
weft_body add_sheet(weft_scene* scene, uint32_t columns, uint32_t rows, unsigned families);

weft_body add_sheet_by(weft_scene* scene, weft_sheet_def def);
weft_body add_mesh_by(weft_scene* scene, weft_mesh_def def);

#define add_cloth(scene, ...) add_sheet_by(scene, sheet_def(__VA_ARGS__))
#define add_mesh_body(scene, ...) add_mesh_by(scene, mesh_def(__VA_ARGS__))

/* Scenes of one body: a sheet, a sheet by changes of its def, particles only. */
weft_scene* new_sheet_scene(uint32_t columns, uint32_t rows, unsigned families);
weft_scene* new_scene_by(weft_sheet_def def);
#define new_cloth_scene(...) new_scene_by(sheet_def(__VA_ARGS__))
weft_scene* new_points_scene(const float* positions, const float* inverse_masses, uint32_t count);

/* Free particles at random positions in a cube of `size` metres, one in eight of them pinned. */
weft_body add_cloud(weft_scene* scene, random_source* random, uint32_t count, float size);

/* A lattice of side x side vertices, jittered, with holes, its vertices and triangles shuffled. */
weft_body add_random_mesh(weft_scene* scene, random_source* random, uint32_t side);

/* The same of a material, which may be NULL, with bend links of this stiffness. */
weft_body add_random_mesh_of(weft_scene* scene, random_source* random, uint32_t side,
                             const weft_material_def* material, float bend_stiffness);

/* Finely woven or coarse, from stiffer than silk to softer than rubber, any weight that cloth may
 * have. */
weft_material_def random_material(random_source* random);

/* Particles and links in every pattern that grouping has to handle: random pairs, hubs, chains,
 * interleaved chains, and many particles without links. */
void add_random_graph(weft_scene* scene, random_source* random, uint32_t particle_count);

/* Links `count` random pairs of particles; pairs that are already linked stay unchanged. */
void add_random_links(weft_scene* scene, random_source* random, uint32_t count);

/* Pins each particle with probability 1 / one_in. */
void pin_some(weft_scene* scene, random_source* random, uint32_t one_in);

/* Catalogue of scenes for the properties of a frozen schedule, [0, scene_case_count()). */
int scene_case_count(void);
weft_scene* new_scene_case(int number);

#endif
