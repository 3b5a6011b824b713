#include "modules/articulated/rods.h"

#include <string.h>

#include "base/memory.h"
#include "base/pose.h"
#include "base/sort.h"
#include "modules/articulated/rod_solve.h"
#include "modules/articulated/rod_strain.h"

enum { SOLVES = WEFT__GROUP(1) };

static const weft__column columns[] = {
    WEFT__COLUMN(weft__rods, first_particle, rod_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, first_link, rod_count, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__rods, first_segment, 1, rod_count, 1, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, stiffness, rod_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, inertia, rod_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, particle, point_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, rest, point_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, slot, segment_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, rest_length, segment_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, compliance, segment_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__rods, frame, segment_count, WEFT__STATE),
    WEFT__COLUMN(weft__rods, spin, segment_count, WEFT__STATE),
    WEFT__COLUMN(weft__rods, multiplier, segment_count, WEFT__STATE),
    WEFT__COLUMN_TIMES(weft__rods, end, 2, rod_count, 0, WEFT__STATE),
    WEFT__COLUMN(weft__rods, nodes, solved_count, SOLVES | WEFT__SCRATCH),
};

const weft__table weft__rods_table = WEFT__TABLE(columns);

static void copy_segments(weft__rods* rods, const weft__rod* rod, uint32_t r,
                          const weft_scene* scene, const weft__schedule* schedule) {
  const uint32_t first = rods->first_segment[r];
  for (uint32_t k = 0; k <= rod->segments; ++k) {
    rods->particle[first + r + k] = schedule->solver_of[rod->first_particle + k];
  }
  for (uint32_t s = 0; s < rod->segments; ++s) {
    const uint32_t link = rod->first_link + s;
    rods->slot[first + s] = schedule->links.slot_of_link[link];
    rods->rest_length[first + s] = scene->links.rest_length[link];
    rods->compliance[first + s] = scene->links.compliance[link];
  }
}

static weft__vec3 tangent_of(const weft_scene* scene, uint32_t particle) {
  const float* from = scene->positions + (size_t)3 * particle;
  const weft__vec3 edge = {(double)from[3] - (double)from[0], (double)from[4] - (double)from[1],
                           (double)from[5] - (double)from[2]};
  const double length = weft__length(edge);
  return weft__scaled(length > 0.0 ? 1.0 / length : 0.0, edge);
}

// Third axis along a unit tangent, first as close to `normal` as can be; 0: across the tangent.
static void make_frame(weft__vec3 tangent, weft__vec3 normal, double frame[4]) {
  weft__vec3 first = weft__across(tangent, normal);
  if (!(weft__dot(first, first) > 1e-12 * weft__dot(normal, normal))) {
    const bool is_along_x = tangent.x * tangent.x > 0.5;
    first = weft__across(tangent,
                         is_along_x ? (weft__vec3){0.0, 1.0, 0.0} : (weft__vec3){1.0, 0.0, 0.0});
  }
  first = weft__scaled(1.0 / weft__length(first), first);
  const weft__vec3 second = weft__cross(tangent, first);
  // four times products of components; the largest row is best conditioned (Shepperd 1978)
  const double xx = first.x, yy = second.y, zz = tangent.z;
  const double rows[4][4] = {
      {1.0 + xx - yy - zz, first.y + second.x, first.z + tangent.x, second.z - tangent.y},
      {first.y + second.x, 1.0 - xx + yy - zz, second.z + tangent.y, tangent.x - first.z},
      {first.z + tangent.x, second.z + tangent.y, 1.0 - xx - yy + zz, first.y - second.x},
      {second.z - tangent.y, tangent.x - first.z, first.y - second.x, 1.0 + xx + yy + zz}};
  int best = 0;
  for (int k = 1; k < 4; ++k) {
    if (rows[k][k] > rows[best][best]) best = k;
  }
  memcpy(frame, rows[best], sizeof(rows[best]));
  weft__rotation_normalise(frame);
}

// Shortest rotation from one unit tangent to the next (Bergou et al. 2008).
static void transport(weft__vec3 from, weft__vec3 to, double frame[4]) {
  const weft__vec3 axis = weft__cross(from, to);
  double turn[4] = {axis.x, axis.y, axis.z, 1.0 + weft__dot(from, to)};
  weft__rotation_normalise(turn);
  weft__rotation_multiply(frame, turn, frame);
}

static void twist(const weft__rod* rod, weft__vec3 tangent, double distance, double frame[4]) {
  weft__rod_turn(frame, weft__scaled(rod->twist * distance, tangent));
}

static void set_frames(weft__rods* rods, const weft__rod* rod, uint32_t r,
                       const weft_scene* scene) {
  double(*frame)[4] = rods->frame + rods->first_segment[r];
  weft__rod_end* ends = rods->end + 2 * (size_t)r;
  const weft__vec3 normal = {rod->normal[0], rod->normal[1], rod->normal[2]};
  weft__vec3 tangent = tangent_of(scene, rod->first_particle);
  make_frame(tangent, normal, ends[0].frame);
  memcpy(frame[0], ends[0].frame, sizeof(*frame));
  twist(rod, tangent, weft__rod_element_length(rods, r, 0), frame[0]);
  for (uint32_t s = 1; s < rod->segments; ++s) {
    const weft__vec3 next = tangent_of(scene, rod->first_particle + s);
    memcpy(frame[s], frame[s - 1], sizeof(*frame));
    transport(tangent, next, frame[s]);
    twist(rod, next, weft__rod_element_length(rods, r, s), frame[s]);
    tangent = next;
  }
  memcpy(ends[1].frame, frame[rod->segments - 1], sizeof(*frame));
  twist(rod, tangent, weft__rod_element_length(rods, r, rod->segments), ends[1].frame);
  ends[0].is_clamped = rod->is_clamped[0];
  ends[1].is_clamped = rod->is_clamped[1];
}

static void set_rest(weft__rods* rods, const weft__rod* rod, uint32_t r) {
  const double(*frame)[4] = (const double(*)[4])rods->frame + rods->first_segment[r];
  const weft__rod_end* ends = rods->end + 2 * (size_t)r;
  double(*rest)[3] = rods->rest + weft__rod_first_point(rods, r);
  for (uint32_t k = 0; k <= rod->segments; ++k) {
    const double length = weft__rod_element_length(rods, r, k);
    for (int axis = 0; axis < 3; ++axis) rest[k][axis] = rod->rest[axis] * length;
    if (rod->keeps_shape == 0) continue;
    const weft__vec3 strain = weft__rod_strain(k == 0 ? ends[0].frame : frame[k - 1],
                                               k == rod->segments ? ends[1].frame : frame[k]);
    memcpy(rest[k], (double[3]){strain.x, strain.y, strain.z}, sizeof(*rest));
  }
}

double weft__rod_element_length(const weft__rods* rods, uint32_t rod, uint32_t k) {
  const float* length = rods->rest_length + rods->first_segment[rod];
  const uint32_t segments = weft__rod_segments(rods, rod);
  const double before = k > 0 ? (double)length[k - 1] : 0.0;
  const double after = k < segments ? (double)length[k] : 0.0;
  return 0.5 * (before + after);
}

bool weft__rods_create(weft__rods* rods, const weft_scene* scene, const weft__schedule* schedule) {
  *rods = (weft__rods){.rod_count = scene->rod_count, .inv_step_sq = 1.0, .multiplier_scale = 1.0};
  if (rods->rod_count == 0) return true;
  for (uint32_t r = 0; r < rods->rod_count; ++r) {
    const uint32_t segments = scene->rods[r].segments;
    rods->segment_count += segments;
    if (segments + 1 > rods->largest) rods->largest = segments + 1;
  }
  rods->point_count = rods->segment_count + rods->rod_count;
  if (!weft__columns_create(rods, &weft__rods_table, 0, &rods->block, &rods->bytes)) return false;
  rods->lane_mask = schedule->links.lane_mask;
  for (uint32_t r = 0; r < rods->rod_count; ++r) {
    const weft__rod* rod = &scene->rods[r];
    rods->first_particle[r] = rod->first_particle;
    rods->first_link[r] = rod->first_link;
    rods->first_segment[r + 1] = rods->first_segment[r] + rod->segments;
    memcpy(rods->stiffness[r], rod->stiffness, sizeof(rod->stiffness));
    rods->inertia[r] = rod->inertia;
    copy_segments(rods, rod, r, scene, schedule);
    set_frames(rods, rod, r, scene);
    set_rest(rods, rod, r);
  }
  return true;
}

bool weft__rod_is_wound(const weft__rods* rods, uint32_t rod) {
  const weft__rod_end* end = rods->end + 2 * (size_t)rod;
  bool is_wound = false;
  for (int side = 0; side < 2; ++side) {
    for (int axis = 0; axis < 3; ++axis)
      is_wound |= end[side].is_clamped != 0 && end[side].spin[axis] != 0.0;
  }
  return is_wound;
}

uint32_t weft__rods_find_segment(const weft__rods* rods, uint32_t link) {
  if (rods->rod_count == 0) return WEFT__NONE;
  const uint32_t rod = weft__find_last(rods->first_link, rods->rod_count, link);
  const uint32_t k = link - rods->first_link[rod];
  return k < weft__rod_segments(rods, rod) ? rods->first_segment[rod] + k : WEFT__NONE;
}

weft__rod_point weft__rods_find_point(const weft__rods* rods, uint32_t particle) {
  const weft__rod_point none = {WEFT__NONE, 0};
  if (rods->rod_count == 0) return none;
  const uint32_t rod = weft__find_last(rods->first_particle, rods->rod_count, particle);
  const uint32_t k = particle - rods->first_particle[rod];
  return k <= weft__rod_segments(rods, rod) ? (weft__rod_point){rod, k} : none;
}

bool weft__rods_divide(weft__rods* rods, uint32_t worker_count) {
  if (rods->rod_count == 0) return true;
  rods->has_memory_by_worker = (uint64_t)rods->largest * worker_count <= rods->point_count;
  rods->solved_count =
      rods->has_memory_by_worker ? rods->largest * worker_count : rods->point_count;
  return weft__columns_add(rods, &weft__rods_table, SOLVES, &rods->bytes);
}

void weft__rods_destroy(weft__rods* rods) {
  weft__free(rods->block);
  weft__free(rods->nodes);
  *rods = (weft__rods){0};
}

void weft__rods_assign(const weft_scene* scene, uint8_t* solver) {
  for (uint32_t r = 0; r < scene->rod_count; ++r) {
    memset(solver + scene->rods[r].first_link, WEFT__SOLVER_ROD, scene->rods[r].segments);
  }
}
