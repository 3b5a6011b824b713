/* A scene as reported by the API, to compare before and after a call that must not change it. */
#ifndef TESTS_SUPPORT_SNAPSHOT_H
#define TESTS_SUPPORT_SNAPSHOT_H

#include <stdbool.h>

#include "support/scenes.h"
#include "support/suite.h"

typedef struct scene_snapshot {
  uint32_t particle_count;
  uint32_t link_count;
  float* positions;
  float* inverse_masses;
  weft_link_def* links;
} scene_snapshot;

scene_snapshot take_snapshot(const weft_scene* scene);
bool same_link(const weft_link_def* left, const weft_link_def* right);

bool looks_like(const weft_scene* scene, const scene_snapshot* snapshot);

/* Adds bodies, a link and a pin, then makes and steps a world: a scene must stay usable after a
 * refused call. */
void use_scene(weft_scene* scene);

/* Requires that the scene equals the snapshot and is still usable. */
void expect_unchanged(weft_scene* scene, scene_snapshot* before);

/* The call, which adds to `scene` and writes `body`, fails with this error. Neither changes, and
 * the scene stays usable. */
#define expect_not_added(call, error, field, index) \
  do {                                              \
    weft_scene* scene = new_scene();                \
    use_scene(scene);                               \
    scene_snapshot before = take_snapshot(scene);   \
    weft_body body = {1, 2, 3, 4};                  \
    const weft_body same = body;                    \
    expect_error_at(call, error, field, index);     \
    ck_assert_mem_eq(&body, &same, sizeof(body));   \
    expect_unchanged(scene, &before);               \
  } while (0)

#endif
