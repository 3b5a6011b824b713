#include "collision/self/surfaces.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"

// Margin of ranges, for stretch and for the weight of a pair at the far end.
#define RANGE_MARGIN 1.25f
#define NORMALS_A_STEP 4u

static void load_corners(const weft__particles* p, const uint32_t corner[3], float at[3][3]) {
  for (int k = 0; k < 3; ++k) weft__load3(p->pos, corner[k], at[k]);
}

static void normal_of(const weft__particles* p, const uint32_t corner[3], float normal[3]) {
  float at[3][3];
  float edge[2][3];
  load_corners(p, corner, at);
  for (int axis = 0; axis < 3; ++axis) {
    edge[0][axis] = at[1][axis] - at[0][axis];
    edge[1][axis] = at[2][axis] - at[0][axis];
  }
  normal[0] = edge[0][1] * edge[1][2] - edge[0][2] * edge[1][1];
  normal[1] = edge[0][2] * edge[1][0] - edge[0][0] * edge[1][2];
  normal[2] = edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0];
}

static float length_sq(const float v[3]) {
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

void weft__self_measure_ranges(weft__self* self) {
  const weft__faces* faces = self->faces;
  self->longest_range = 0.0f;
  if (faces->count == 0) return;
  for (uint32_t place = 0; place < self->tiles.tile_count * WEFT__TILE; ++place) {
    const uint32_t particle = self->particle[place];
    if (particle == WEFT__NONE) continue;
    float range = 0.0f;
    for (uint32_t n = faces->first_use[particle]; n < faces->first_use[particle + 1]; ++n) {
      range = weft__maxf(range, weft__face_range(faces, faces->use[n]));
    }
    self->tiles.range[place] = RANGE_MARGIN * range;
    self->longest_range = weft__maxf(self->longest_range, self->tiles.range[place]);
  }
}

typedef struct normals_job {
  weft__self* self;
  const weft__step_context* step;
  bool any_gone;  // links
} normals_job;

static void update_tile(const normals_job* job, uint32_t tile) {
  const weft__self* self = job->self;
  const weft__faces* faces = self->faces;
  float* record = self->tiles.surface + (size_t)tile * WEFT__TILE * 4;
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane, record += 4) {
    if (record[3] == 0.0f) continue;
    const uint32_t particle = self->particle[tile * WEFT__TILE + lane];
    float sum[3] = {0.0f, 0.0f, 0.0f};
    uint32_t once = 0;  // neighbours of an odd number of faces
    for (uint32_t n = faces->first_use[particle]; n < faces->first_use[particle + 1]; ++n) {
      const uint32_t face = faces->use[n];
      if (job->any_gone && weft__face_is_torn(faces, job->step->schedule, face)) continue;
      const uint32_t* corner = faces->corner[face];
      once ^= corner[0] ^ corner[1] ^ corner[2] ^ particle;
      float normal[3];
      normal_of(job->step->particles, corner, normal);
      for (int axis = 0; axis < 3; ++axis) sum[axis] += normal[axis];
    }
    record[3] = once != 0 ? -fabsf(record[3]) : fabsf(record[3]);
    // cloth without area meets others as spheres
    const float square = length_sq(sum);
    const float scale = square > 1e-30f ? 1.0f / sqrtf(square) : 0.0f;
    for (int axis = 0; axis < 3; ++axis) record[axis] = scale * sum[axis];
  }
}

static void update_tiles(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const normals_job* job = context;
  weft__self* self = job->self;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (self->has_normals[tile] || self->contacts.lanes[tile] == 0) continue;
    update_tile(job, tile);
    self->has_normals[tile] = 1;
  }
}

void weft__self_expire_normals(weft__self* self, const weft__step_context* step) {
  const uint32_t interval = (step->substeps + NORMALS_A_STEP - 1) / NORMALS_A_STEP;
  if (step->substep % interval == 0) memset(self->has_normals, 0, self->tiles.tile_count);
}

void weft__self_update_normals(weft__self* self, const weft__step_context* step) {
  if (self->contacts.count == 0 || !(self->tiles.max_range > 0.0f)) return;
  normals_job job = {self, step, weft__links_any_gone(&step->schedule->links)};
  weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, update_tiles, &job);
}
