#include <string.h>

#include "base/grain_size.h"
#include "base/hash.h"
#include "base/memory.h"
#include "collision/colliders/loads.h"
#include "modules/articulated/rod_solve.h"
#include "modules/articulated/tree_planes.h"
#include "modules/articulated/tree_solve.h"
#include "solvers/joints/joints.h"
#include "step/stage.h"

// Work that pays for another worker: some twenty microseconds a step.
#define NODES_PER_WORKER WEFT__GRAIN(256u, 8u)
#define SEGMENTS_PER_WORKER WEFT__GRAIN(32u, 2u)

static uint32_t useful_of(uint32_t parts, uint32_t size, uint32_t size_per_worker) {
  const uint32_t useful = size / size_per_worker + 1;
  return useful < parts ? useful : parts;
}

// Corrects joints for the displacements by the direct solver.
static void solve_joints_again(weft__step_context* step) {
  if (step->joints->count == 0) return;
  const weft__joint_pass pass = {.inv_step_sq = weft__inv_square(step->physics->solved_h),
                                 .h = step->physics->h,
                                 .last = true};
  weft__joints_solve(step->joints, pass, step);
}

typedef struct node_row {
  uint64_t node;
  double multiplier;
} node_row;

// Links of rods and of trees; the forest is kept until its tables are built.
static bool claim(void* state, const weft__build* build) {
  weft__trees* trees = state;
  if (build->settings->direct_iterations == 0) return true;
  weft__rods_assign(build->scene, build->solver);
  if (!weft__forest_create(&trees->forest, build->scene)) return false;
  weft__forest_assign(&trees->forest, &build->scene->links, build->solver);
  return true;
}

static bool create_trees(void* state, const weft__build* build) {
  weft__trees* trees = state;
  if (build->settings->direct_iterations == 0) return true;
  weft__forest forest = trees->forest;
  const bool good = weft__trees_create(trees, &forest, build->scene, build->schedule);
  weft__forest_destroy(&forest);
  return good;
}

static bool start_trees(void* state, uint32_t worker_count) {
  return weft__trees_divide(state, worker_count);
}

static void destroy_trees(void* state) {
  weft__trees* trees = state;
  weft__forest_destroy(&trees->forest);
  weft__trees_destroy(trees);
}

static uint32_t useful_workers_of_trees(const void* state) {
  const weft__trees* trees = state;
  return useful_of(trees->tree_count, trees->node_count, NODES_PER_WORKER);
}

static bool has_trees(const void* state) {
  return ((const weft__trees*)state)->tree_count > 0;
}

static uint32_t count_trees(const void* state) {
  return ((const weft__trees*)state)->tree_count;
}

static weft__particle_set list_tree(const void* state, uint32_t tree) {
  const weft__trees* trees = state;
  const uint32_t first = trees->first_node[tree];
  return (weft__particle_set){trees->particle + first, trees->first_node[tree + 1] - first};
}

const weft__halo_rows weft__tree_rows = {
    .set_count = count_trees, .set = list_tree, .solves = offsetof(weft__trees, solves)};

static void solve_trees(void* state, weft__step_context* step) {
  const weft__trees* trees = state;
  const bool has_colliders = step->colliders->count > 0 && step->materials->on;
  // in clusters all ranks have all events, but not all trees
  const bool is_recorded =
      has_colliders && step->domain == NULL && weft__collider_contacts_are_recorded(step);
  const weft__tree_solver solver = {
      .iterations = step->settings->direct_iterations,
      .find_planes = has_colliders ? weft__colliders_find_tree_planes : NULL,
      .record = is_recorded ? weft__colliders_record_tree_contact : NULL,
      .step = step,
  };
  weft__trees_solve(trees, &solver);
  if (step->schedule->links.is_tracked)
    weft__trees_add_multipliers(trees, step->schedule->links.multiplier);
  solve_joints_again(step);
}

static void change_trees(void* state, const weft__change* change) {
  weft__trees* trees = state;
  const bool is_rate = change->kind == WEFT__CHANGE_RATE;
  if (is_rate || change->kind == WEFT__CHANGE_STRIDE) trees->inv_step_sq = change->inv_step_sq;
  if (is_rate) trees->multiplier_scale = change->multiplier_scale;
}

// Residuals of compliant links, which are not swept.
static bool measure_trees(const void* state, weft__measure* sums) {
  const weft__trees* trees = state;
  const weft__particles* p = sums->particles;
  for (uint32_t tree = 0; tree < trees->tree_count; ++tree) {
    const uint32_t first = trees->first_node[tree];
    for (uint32_t n = first + 1; n < trees->first_node[tree + 1]; ++n) {
      if (trees->compliance[n] == 0.0f || !weft__is_marked(trees->lane_mask, trees->slot[n]))
        continue;
      const uint32_t parent = trees->particle[first + trees->parent[n]];
      const weft__vec3 offset =
          weft__minus(weft__vec3_at(p->pos, parent), weft__vec3_at(p->pos, trees->particle[n]));
      const double error = weft__length(offset) - (double)trees->rest_length[n];
      weft__measure_residual(
          sums, error - (double)trees->compliance[n] * sums->inv_step_sq * trees->multiplier[n]);
    }
  }
  return true;
}

static bool is_node_of(const weft__trees* trees, uint32_t node, const weft__range_rows* of) {
  return of->user_of[trees->particle[node]] - of->first < of->count;
}

static void visit_nodes(void* state, weft__archive* archive, const weft__range_rows* of) {
  weft__trees* trees = state;
  uint64_t count = 0;
  for (uint32_t node = 0; node < trees->node_count; ++node) count += is_node_of(trees, node, of);
  WEFT__ARCHIVE_VALUE(archive, count);
  if (weft__archive_is_reading(archive)) {
    for (uint64_t n = 0; n < count && weft__archive_is_good(archive); ++n) {
      node_row row = {0};
      WEFT__ARCHIVE_VALUE(archive, row);
      if (!weft__archive_is_loading(archive) || row.node >= trees->node_count) continue;
      trees->multiplier[row.node] = row.multiplier * of->ratio * of->ratio;
    }
    return;
  }
  for (uint32_t node = 0; node < trees->node_count; ++node) {
    if (!is_node_of(trees, node, of)) continue;
    node_row row = {node, trees->multiplier[node]};
    WEFT__ARCHIVE_VALUE(archive, row);
  }
}

// Nodes by the slot of the link to their parent; once a link is edited.
static bool list_nodes(void* state, const weft__schedule* schedule) {
  weft__trees* trees = state;
  if (trees->node_of_slot != NULL || trees->tree_count == 0) return true;
  const size_t slots = (size_t)schedule->links.group_count * WEFT__LANES;
  uint32_t* node_of = weft__alloc(slots, sizeof(*node_of));
  if (node_of == NULL) return false;
  memset(node_of, 0xff, slots * sizeof(*node_of));
  for (uint32_t t = 0; t < trees->tree_count; ++t) {
    for (uint32_t n = trees->first_node[t] + 1; n < trees->first_node[t + 1]; ++n) {
      node_of[trees->slot[n]] = n;
    }
  }
  trees->node_of_slot = node_of;
  trees->bytes += slots * sizeof(*node_of);
  return true;
}

static uint32_t node_of(const weft__trees* trees, const weft__link_edit* edit) {
  return trees->node_of_slot == NULL ? WEFT__NONE
                                     : trees->node_of_slot[weft__lane_slot(edit->lane)];
}

static weft_error check_tree_edit(const void* state, const weft__link_edit* edit) {
  const weft__trees* trees = state;
  const uint32_t node = node_of(trees, edit);
  if (node == WEFT__NONE || edit->value != WEFT__VALUE_COMPLIANCE) return WEFT_OK;
  const bool keeps = (edit->number > 0.0f) == (trees->compliance[node] > 0.0f);
  return keeps ? WEFT_OK : WEFT_ERROR_RANGE;
}

static bool edit_tree(void* state, const weft__link_edit* edit) {
  weft__trees* trees = state;
  const uint32_t node = node_of(trees, edit);
  if (node == WEFT__NONE) return false;
  float* column = edit->value == WEFT__VALUE_REST_LENGTH ? trees->rest_length : trees->compliance;
  column[node] = edit->number;
  return false;
}

const weft__stage weft__trees_stage = {
    .name = "trees",
    .profile = WEFT_STAGE_DIRECT,
    .size = sizeof(weft__trees),
    .bytes = offsetof(weft__trees, bytes),
    .table = &weft__trees_table,
    .claim = claim,
    .create = create_trees,
    .start = start_trees,
    .destroy = destroy_trees,
    .useful_workers = useful_workers_of_trees,
    .is_on = has_trees,
    .run = {[WEFT__PHASE_AFTER_SWEEPS] = solve_trees},
    .writes = {[WEFT__PHASE_AFTER_SWEEPS] = WEFT__WRITES(POS)},
    .reads = {[WEFT__PHASE_AFTER_SWEEPS] = {&weft__tree_rows, &weft__particle_moves}},
    .changed = change_trees,
    .measure = measure_trees,
    .snapshots.visit_range = visit_nodes,
    .links.prepare_edits = list_nodes,
    .links.check_edit = check_tree_edit,
    .links.edit = edit_tree,
};

typedef struct segment_row {
  uint64_t segment;
  double frame[4];
  double spin, multiplier;
} segment_row;

static bool create_rods(void* state, const weft__build* build) {
  return build->settings->direct_iterations == 0 ||
         weft__rods_create(state, build->scene, build->schedule);
}

static bool start_rods(void* state, uint32_t worker_count) {
  return weft__rods_divide(state, worker_count);
}

static void destroy_rods(void* state) {
  weft__rods_destroy(state);
}

static uint32_t useful_workers_of_rods(const void* state) {
  const weft__rods* rods = state;
  return useful_of(rods->rod_count, rods->segment_count, SEGMENTS_PER_WORKER);
}

static bool has_rods(const void* state) {
  return ((const weft__rods*)state)->rod_count > 0;
}

// A rod that an end winds up stays awake: its points may be at rest.
static void wake_wound(void* state, weft__step_context* step) {
  const weft__rods* rods = state;
  for (uint32_t rod = 0; rod < rods->rod_count; ++rod) {
    if (weft__rod_is_wound(rods, rod))
      weft__wake(step->stages, rods->particle[weft__rod_first_point(rods, rod)]);
  }
}

static void solve_rods(void* state, weft__step_context* step) {
  const weft__rods* rods = state;
  weft__rods_solve(rods, step->settings->direct_iterations, step);
  if (step->schedule->links.is_tracked)
    weft__rods_add_multipliers(rods, step->schedule->links.multiplier);
  solve_joints_again(step);
}

// Turns the frames of rods within a range of particles.
static void turn_rods(const weft__rods* rods, weft__range users, const weft__pose* pose) {
  for (uint32_t r = 0; r < rods->rod_count; ++r) {
    const uint32_t segments = weft__rod_segments(rods, r);
    const uint32_t from = rods->first_particle[r] - users.begin;
    const uint32_t count = users.end - users.begin;
    if (from >= count || from + segments >= count) continue;
    for (uint32_t s = rods->first_segment[r]; s < rods->first_segment[r + 1]; ++s) {
      weft__rotation_multiply(rods->frame[s], pose->rotation, rods->frame[s]);
    }
    for (uint32_t side = 0; side < 2; ++side) {
      double* frame = rods->end[2 * (size_t)r + side].frame;
      weft__rotation_multiply(frame, pose->rotation, frame);
    }
  }
}

static void change_rods(void* state, const weft__change* change) {
  weft__rods* rods = state;
  const bool is_rate = change->kind == WEFT__CHANGE_RATE;
  if (is_rate || change->kind == WEFT__CHANGE_STRIDE) rods->inv_step_sq = change->inv_step_sq;
  if (is_rate) rods->multiplier_scale = change->multiplier_scale;
  if (change->kind == WEFT__CHANGE_TURNED) turn_rods(rods, change->users, change->pose);
}

static bool measure_rods(const void* state, weft__measure* sums) {
  sums->elastic += weft__rods_energy(state);
  return true;
}

static uint64_t hash_rods(const void* state, uint64_t hash) {
  const weft__rods* rods = state;
  for (uint32_t s = 0; s < rods->segment_count; ++s) {
    for (int k = 0; k < 4; ++k) hash = weft__hash_float(hash, (float)rods->frame[s][k]);
    hash = weft__hash_float(hash, (float)rods->spin[s]);
  }
  return hash;
}

// Segments of a rod that lie within a range of particles.
static weft__range segments_in(const weft__rods* rods, uint32_t rod, const weft__range_rows* of) {
  const int64_t from = (int64_t)of->first - rods->first_particle[rod];
  const int64_t last = from + of->count - 1;
  const int64_t segments = weft__rod_segments(rods, rod);
  const int64_t begin = from > 0 ? from : 0;
  const int64_t end = last < segments ? last : segments;
  const uint32_t base = rods->first_segment[rod];
  if (begin >= end) return (weft__range){base, base};
  return (weft__range){base + (uint32_t)begin, base + (uint32_t)end};
}

static void read_segment(weft__rods* rods, weft__archive* archive, double ratio) {
  segment_row row = {0};
  WEFT__ARCHIVE_VALUE(archive, row);
  if (!weft__archive_is_loading(archive) || row.segment >= rods->segment_count) return;
  memcpy(rods->frame[row.segment], row.frame, sizeof(row.frame));
  rods->spin[row.segment] = row.spin;
  rods->multiplier[row.segment] = row.multiplier * ratio * ratio;
}

static void visit_segments(void* state, weft__archive* archive, const weft__range_rows* of) {
  weft__rods* rods = state;
  uint64_t count = 0;
  for (uint32_t rod = 0; rod < rods->rod_count; ++rod) {
    const weft__range segments = segments_in(rods, rod, of);
    count += segments.end - segments.begin;
  }
  WEFT__ARCHIVE_VALUE(archive, count);
  if (weft__archive_is_reading(archive)) {
    for (uint64_t n = 0; n < count && weft__archive_is_good(archive); ++n)
      read_segment(rods, archive, of->ratio);
    return;
  }
  for (uint32_t rod = 0; rod < rods->rod_count; ++rod) {
    const weft__range segments = segments_in(rods, rod, of);
    for (uint32_t s = segments.begin; s < segments.end; ++s) {
      segment_row row = {.segment = s, .spin = rods->spin[s], .multiplier = rods->multiplier[s]};
      memcpy(row.frame, rods->frame[s], sizeof(row.frame));
      WEFT__ARCHIVE_VALUE(archive, row);
    }
  }
}

static weft_error check_rod_edit(const void* state, const weft__link_edit* edit) {
  const bool is_of_rod = weft__rods_find_segment(state, edit->link) != WEFT__NONE;
  return is_of_rod ? WEFT_ERROR_UNSUPPORTED : WEFT_OK;
}

const weft__stage weft__rods_stage = {
    .name = "rods",
    .serves = WEFT__SERVES_RODS,
    .profile = WEFT_STAGE_DIRECT,
    .size = sizeof(weft__rods),
    .bytes = offsetof(weft__rods, bytes),
    .table = &weft__rods_table,
    .not_in_clusters = "weft_scene_add_rod",
    .create = create_rods,
    .start = start_rods,
    .destroy = destroy_rods,
    .useful_workers = useful_workers_of_rods,
    .is_on = has_rods,
    .run = {[WEFT__PHASE_STEP] = wake_wound, [WEFT__PHASE_AFTER_SWEEPS] = solve_rods},
    .writes = {[WEFT__PHASE_AFTER_SWEEPS] = WEFT__WRITES(POS)},
    .changed = change_rods,
    .measure = measure_rods,
    .hash = hash_rods,
    .snapshots.visit_range = visit_segments,
    .links.check_edit = check_rod_edit,
};
