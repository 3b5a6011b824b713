#ifndef WEFT_SCENE_FINGERPRINT_H
#define WEFT_SCENE_FINGERPRINT_H

#include "base/checksum.h"
#include "scene/scene.h"
#include "tables/schedule.h"

void weft__scene_add_to_checksum(weft__checksum* sum, const weft_scene* scene);

/* Checksum of the scene and a world's order of it: with equal settings, tables are the same. */
uint64_t weft__scene_fingerprint(const weft_scene* scene, const weft__schedule* schedule);

#endif
