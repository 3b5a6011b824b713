/* A cloth in Bullet 3 (btSoftBody): nodes and links of a scene, solved by Gauss-Seidel, link by
 * link, on one thread. */
#ifndef BENCH_BULLET_CLOTH_H
#define BENCH_BULLET_CLOTH_H

#include <stdint.h>

#include "scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bullet_cloth bullet_cloth;

typedef struct bullet_settings {
  uint32_t substeps;   /* equal parts of a step of 1/60 s */
  uint32_t iterations; /* sweeps over all links in each */
  float damping;       /* share of the velocities lost in each, 0 to 1 */
  float radius;        /* metres: sphere at the origin; 0 = none */
  float thickness;     /* metres between cloth and sphere */
  float friction;      /* coefficient */
} bullet_settings;

/* From a flat scene, which is not needed afterwards. Aborts without memory. */
bullet_cloth* bullet_cloth_create(const bench_scene* scene, const bullet_settings* settings);
void bullet_cloth_destroy(bullet_cloth* cloth);

void bullet_cloth_step(bullet_cloth* cloth);

/* Positions of all particles, [particle_count][3] in metres. */
void bullet_cloth_get_positions(const bullet_cloth* cloth, float* positions);

#ifdef __cplusplus
}
#endif

#endif
