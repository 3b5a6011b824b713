#include "collision/ccd/ccd.h"

#include <string.h>

#include "base/arena.h"
#include "base/grain_size.h"
#include "base/memory.h"
#include "collision/ccd/ccd_steps.h"
#include "collision/ccd/strands.h"

#define SOLVE_ROUNDS 12
#define ZONE_ROUNDS 32
// Rounds that roll back zones of hits, before all clusters connected to them are.
#define ROLL_BACK_ROUNDS 16
// Rounds that roll back connected clusters, before all are. Cluster pairs reach everything close,
// so one is enough as a rule.
#define GROUP_ROLL_BACK_ROUNDS 3
// Passes in which all clusters are one zone before cluster pairs without memory are searched again.
#define LACKING_PASSES 16u
// Rounds that join zones of hits, and that roll these back, once the work of the step is spent.
#define CUT_ROUNDS 3
// Times that colliders push out again what CCD has moved.
#define COLLIDER_ROUNDS 3
#define PAIRS_PER_PARTICLE 16u
#define MIN_PAIRS WEFT__GRAIN(1u << 19, 1u << 12)
#define MAX_PAIRS (1u << 30)
#define MIN_HITS 1024u
// Particles in a piece of work: some microseconds.
#define PARTICLE_GRAIN WEFT__GRAIN(2048u, 8u)

// ---- memory ----

static void allocate_nodes(weft__moving_aabbs* boxes, size_t count, weft__arena* arena) {
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) {
    boxes->side[s] = weft__arena_alloc(arena, count + WEFT__AABB_LANES, sizeof(float));
  }
}

// Bound on nodes of a BVH over so many clusters.
static size_t max_node_count(size_t clusters) {
  size_t nodes = 0;
  for (int level = 0; level < WEFT__CCD_LEVELS; ++level) {
    nodes += weft__round_up(clusters, 8);
    clusters = clusters / 8 + 1;
  }
  return nodes;
}

static void allocate_columns(weft__ccd* ccd, weft__arena* arena) {
  const size_t n = ccd->particle_count;
  const size_t face_clusters = weft__ccd_max_face_clusters(&ccd->mesh);
  for (int axis = 0; axis < 3; ++axis) {
    ccd->start[axis] = weft__arena_alloc(arena, n, sizeof(float));
  }
  ccd->zone_parent = weft__arena_alloc(arena, n, sizeof(*ccd->zone_parent));
  ccd->zone_particle = weft__arena_alloc(arena, n, sizeof(*ccd->zone_particle));
  ccd->impact_zone = weft__arena_alloc(arena, n, sizeof(*ccd->impact_zone));
  ccd->is_corrected = weft__arena_alloc(arena, n, sizeof(*ccd->is_corrected));
  ccd->is_rolled_back = weft__arena_alloc(arena, n, sizeof(*ccd->is_rolled_back));
  ccd->is_held = weft__arena_alloc(arena, n, sizeof(*ccd->is_held));
  ccd->held_back = weft__arena_alloc(arena, n, sizeof(*ccd->held_back));
  ccd->displacement = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->displacement));
  ccd->bend = weft__arena_alloc(arena, face_clusters, sizeof(*ccd->bend));
  ccd->relative = weft__arena_alloc(arena, face_clusters, sizeof(*ccd->relative));
  ccd->pass_relative = weft__arena_alloc(arena, face_clusters, sizeof(*ccd->pass_relative));
  ccd->flat_valid_until = weft__arena_alloc(arena, face_clusters, sizeof(*ccd->flat_valid_until));
  ccd->valid_until = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->valid_until));
  ccd->zone_state = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->zone_state));
  ccd->group_parent = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->group_parent));
  ccd->is_moved = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->is_moved));
  ccd->box_pass = weft__arena_alloc(arena, face_clusters, sizeof(*ccd->box_pass));
  ccd->last_search = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->last_search));
  ccd->has_radius = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->has_radius));
  ccd->material = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->material));
  weft__ccd_positions_allocate(&ccd->positions, weft__ccd_max_members(&ccd->mesh, n), arena);
  weft__flatness_allocate(&ccd->flatness, &ccd->mesh, arena);
  allocate_nodes(&ccd->nodes, max_node_count(face_clusters), arena);
  weft__ccd_tangles_allocate_state(&ccd->tangles, n, face_clusters + n, arena);
  ccd->state_bytes = arena->used;
  ccd->pair_list = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->pair_list));
  weft__ccd_tangles_allocate_scratch(&ccd->tangles, n, face_clusters + n, ccd->mesh.edge_count,
                                     arena);
  for (int axis = 0; axis < 3; ++axis) {
    ccd->last[axis] = weft__arena_alloc(arena, n, sizeof(float));
    ccd->aim[axis] = weft__arena_alloc(arena, n, sizeof(float));
  }
  ccd->corrected = weft__arena_alloc(arena, n, sizeof(*ccd->corrected));
  ccd->limited_edge = weft__arena_alloc(arena, ccd->mesh.edge_count, sizeof(*ccd->limited_edge));
  ccd->is_changed = weft__arena_alloc(arena, face_clusters + n, sizeof(*ccd->is_changed));
  const size_t octets = (face_clusters + n) / 8 + 1;
  ccd->active = weft__arena_alloc(arena, octets, sizeof(*ccd->active));
  ccd->affected = weft__arena_alloc(arena, octets, sizeof(*ccd->affected));
  ccd->is_open = weft__arena_alloc(arena, octets, sizeof(*ccd->is_open));
  ccd->filter = weft__arena_alloc(arena, octets, sizeof(*ccd->filter));
  ccd->candidate = weft__arena_alloc(arena, (size_t)ccd->worker_count * WEFT__CLUSTER_MAX_PAIRS,
                                     sizeof(*ccd->candidate));
  ccd->extent = weft__arena_alloc(arena, ccd->worker_count, sizeof(*ccd->extent));
}

bool weft__ccd_create_tables(weft__ccd* ccd, const weft__contact_setup* setup) {
  if (!weft__ccd_join_strands(setup, &ccd->joined_faces)) return false;
  ccd->faces = ccd->joined_faces != NULL ? ccd->joined_faces : setup->faces;
  ccd->particle_count = setup->particles->count;
  ccd->worker_count = setup->worker_count;
  if (!weft__face_edges_create(&ccd->mesh, ccd->faces, setup->particles,
                               setup->schedule->environment_of) ||
      !weft__ccd_clusters_create(&ccd->clusters, &ccd->mesh, ccd->particle_count)) {
    return false;
  }
  for (weft__arena arena = {0}; weft__arena_next(&arena, &ccd->block, &ccd->own_bytes);) {
    allocate_columns(ccd, &arena);
  }
  if (ccd->block == NULL) return false;
  ccd->pass = 1;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) ccd->zone_parent[i] = WEFT__NONE;
  return true;
}

void weft__ccd_destroy(weft__ccd* ccd) {
  weft__ccd_free_joined(ccd->joined_faces);
  weft__face_edges_destroy(&ccd->mesh);
  weft__ccd_clusters_destroy(&ccd->clusters);
  weft__ccd_pairs_destroy(&ccd->pairs);
  weft__free(ccd->hit);
  weft__free(ccd->block);
  memset(ccd, 0, sizeof(*ccd));
}

void weft__ccd_count_bytes(weft__ccd* ccd) {
  ccd->bytes = ccd->own_bytes + ccd->mesh.bytes + ccd->clusters.bytes + ccd->pairs.bytes +
               ccd->hit_capacity * sizeof(*ccd->hit);
  if (ccd->joined_faces != NULL) ccd->bytes += ccd->joined_faces->bytes;
}

static uint32_t pair_demand(const weft__contact_setup* setup) {
  if (setup->limits.max_ccd_pairs > 0) return setup->limits.max_ccd_pairs;
  const uint64_t usual = (uint64_t)setup->particles->count * PAIRS_PER_PARTICLE;
  return usual < MIN_PAIRS ? MIN_PAIRS : usual < MAX_PAIRS ? (uint32_t)usual : MAX_PAIRS;
}

static bool reserve_hits(weft__ccd* ccd, uint32_t pairs) {
  const uint32_t wanted = pairs / 16 > MIN_HITS ? pairs / 16 : MIN_HITS;
  if (wanted <= ccd->hit_capacity) return true;
  weft__ccd_hit* hit = weft__alloc(wanted, sizeof(*hit));
  if (hit == NULL) return false;
  weft__free(ccd->hit);
  ccd->hit = hit;
  ccd->hit_capacity = wanted;
  return true;
}

bool weft__ccd_prepare(weft__ccd* ccd, const weft__contact_setup* setup) {
  if (setup->materials->ccd_count == 0 || (ccd->block == NULL && !weft__ccd_has_features(setup))) {
    ccd->on = false;
    return true;
  }
  if (ccd->block == NULL) {
    weft__ccd made = {0};
    if (!weft__ccd_create_tables(&made, setup)) {
      weft__ccd_destroy(&made);
      return false;
    }
    memcpy(ccd, &made, sizeof(made));
  }
  const uint32_t pairs = pair_demand(setup);
  if (!reserve_hits(ccd, pairs) ||
      !weft__ccd_pairs_reserve(&ccd->pairs, pairs,
                               (uint32_t)weft__ccd_max_face_clusters(&ccd->mesh)))
    return false;
  // pairs are searched when a step begins
  ccd->is_built = false;
  ccd->on = true;
  weft__ccd_count_bytes(ccd);
  return true;
}

// ---- a step ----

// Loop over particles that finds one for which a condition holds.
typedef struct particle_search {
  weft__ccd* ccd;
  const weft__step_context* step;
  _Atomic bool is_found; /* relaxed: read after the loop */
} particle_search;

static bool find_particle(weft__ccd* ccd, const weft__step_context* step, weft__range_task* task,
                          const char* name) {
  particle_search search = {.ccd = ccd, .step = step};
  weft__worker_pool_run_loop(step->pool, ccd->particle_count, PARTICLE_GRAIN, task, name, &search);
  return search.is_found;
}

// Records positions as the start of the next pass; true if any differs from the last start.
static bool record_start(const weft__ccd* ccd, const weft__particles* p, weft__range particles) {
  const size_t bytes = (particles.end - particles.begin) * sizeof(float);
  bool is_same = true;
  for (int axis = 0; axis < 3; ++axis) {
    const float* at = p->pos[axis] + particles.begin;
    float* start = ccd->start[axis] + particles.begin;
    is_same &= memcmp(start, at, bytes) == 0;
    memcpy(start, at, bytes);
  }
  return !is_same;
}

// Records the start of the step; finds a particle that is not where the last pass ended.
static void record_particles(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  particle_search* search = context;
  if (record_start(search->ccd, search->step->particles, particles))
    atomic_store_explicit(&search->is_found, true, memory_order_relaxed);
}

void weft__ccd_begin_step(weft__ccd* ccd, const weft__step_context* step) {
  if (find_particle(ccd, step, record_particles, "record_particles")) ccd->is_stale = true;
  ccd->flatness.kernels = step->kernels;
  weft__ccd_renew_clusters(ccd, step);
  // what the caller moves may cross
  ccd->tangles.is_due = ccd->is_stale;
  ccd->hit_count = ccd->tangled_count = ccd->over_budget_count = ccd->round_count = 0;
  ccd->test_count = 0;
  ccd->last_ccd_substep = UINT32_MAX;
}

// True if impact zones of clusters over budget grew.
static bool join_overspent(weft__ccd* ccd, const weft__step_context* step, uint32_t verdict,
                           bool is_rolling) {
  return (verdict & WEFT__VERDICT_OVERSPENT) != 0 &&
         weft__ccd_join_overspent(ccd, step, is_rolling);
}

// True if no hits remain.
static bool resolve_hits(weft__ccd* ccd, const weft__step_context* step, bool is_first) {
  int left = SOLVE_ROUNDS + ZONE_ROUNDS;
  for (int round = 0; left > 0; ++round, --left) {
    weft__ccd_update_displacements(ccd, step, is_first && round == 0);
    const uint32_t verdict = weft__ccd_narrow_phase(ccd, step);
    const bool has_hits = (verdict & WEFT__VERDICT_HITS) != 0;
    if (ccd->is_cut && left > CUT_ROUNDS) left = CUT_ROUNDS;
    if (has_hits && round < SOLVE_ROUNDS && !ccd->is_cut) {
      weft__ccd_solve(ccd, step);
    } else if (has_hits) {
      weft__ccd_join_impact_zones(ccd, step, WEFT__ROLL_BACK_NONE);
    }
    if (!join_overspent(ccd, step, verdict, false) && !has_hits) return true;
  }
  return false;
}

static void roll_back_hits(weft__ccd* ccd, const weft__step_context* step) {
  int zone_rounds = ROLL_BACK_ROUNDS;
  for (int round = 0; round < zone_rounds + GROUP_ROLL_BACK_ROUNDS; ++round) {
    if (ccd->is_cut && zone_rounds > CUT_ROUNDS)
      zone_rounds = round > CUT_ROUNDS ? round : CUT_ROUNDS;
    weft__ccd_update_displacements(ccd, step, false);
    const uint32_t verdict = weft__ccd_narrow_phase(ccd, step);
    const bool has_hits = (verdict & WEFT__VERDICT_HITS) != 0;
    if (has_hits) {
      weft__ccd_join_impact_zones(
          ccd, step, round < zone_rounds ? WEFT__ROLL_BACK_ZONES : WEFT__ROLL_BACK_GROUPS);
    }
    if (!join_overspent(ccd, step, verdict, true) && !has_hits) return;
  }
  weft__ccd_join_impact_zones(ccd, step, WEFT__ROLL_BACK_ALL);
}

// Restores the velocity of a corrected particle. Colliders and thick cloth push out of overlap
// without velocity: prev moves along. Where CCD undoes such a push, prev has to return, or the
// particle keeps a velocity it did not travel with: prev becomes the point between itself and the
// start that is closest to the current position. Speed never grows; an unmoved prev is at the start
// and stays.
static void restore_velocity(const weft__ccd* ccd, const weft__particles* p, uint32_t i) {
  float* const* prev = p->prev;
  float along = 0.0f;
  float length_sq = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float start = ccd->start[axis][i];
    const float shift = prev[axis][i] - start;
    along += (p->pos[axis][i] - start) * shift;
    length_sq += shift * shift;
  }
  if (!(along < length_sq)) return;
  const float share = along > 0.0f ? along / length_sq : 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float start = ccd->start[axis][i];
    prev[axis][i] = start + share * (prev[axis][i] - start);
  }
}

// Counts the substeps in a row that have rolled a particle back; true once it is stuck.
static bool count_held_back(const weft__ccd* ccd, uint32_t substeps, bool is_free, uint32_t i) {
  const uint32_t zone = ccd->zone_parent[i];
  const bool is_held_back = is_free && zone != WEFT__NONE && ccd->impact_zone[zone].is_rolled_back;
  const uint32_t count = is_held_back ? ccd->held_back[i] + substeps : 0;
  ccd->held_back[i] = (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
  return count >= WEFT__CCD_STUCK;
}

// End of a pass.
typedef struct ending {
  weft__ccd* ccd;
  const weft__step_context* step;
  _Atomic uint64_t stuck; /* particles */
} ending;

// Restores velocities after a pass of one substep, and begins the next pass. The start of the last
// substep of a longer pass is not known: weft__ccd_move() alone has changed velocities there.
static void end_particles(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  ending* job = context;
  const weft__ccd* ccd = job->ccd;
  const weft__particles* p = job->step->particles;
  const uint32_t substeps = job->step->substep - ccd->last_ccd_substep;
  uint64_t stuck = 0;
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    if (ccd->is_corrected[i] && substeps == 1) restore_velocity(ccd, p, i);
    stuck += count_held_back(ccd, substeps, p->inv_mass[i] > 0.0f, i);
    ccd->is_corrected[i] = ccd->is_held[i] = 0;
  }
  weft__ccd_add(&job->stuck, stuck);
  (void)record_start(ccd, p, particles);
}

// Cluster pairs that found no memory are searched again after some passes. All clusters are one
// zone until then, which needs no pairs.
static void rest_without_capacity(weft__ccd* ccd) {
  if (!ccd->lacks_capacity || ++ccd->passes_lacking < LACKING_PASSES) return;
  ccd->passes_lacking = 0;
  ccd->lacks_capacity = false;
  ccd->is_stale = true;
}

static void end_pass(weft__ccd* ccd, const weft__step_context* step) {
  ending job = {.ccd = ccd, .step = step};
  weft__step_for(step, ccd->particle_count, PARTICLE_GRAIN, end_particles, &job);
  ccd->stuck_count = (uint32_t)job.stuck;
  ccd->corrected_count = ccd->limited_count = ccd->listed_particles = 0;
  ccd->last_ccd_substep = step->substep;
  ++ccd->pass;
  weft__ccd_positions_begin(&ccd->positions);
  rest_without_capacity(ccd);
  ccd->pair_count = (uint32_t)atomic_load_explicit(&ccd->pairs.pair_count, memory_order_relaxed);
}

// ---- colliders ----

static void record_last(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  particle_search* search = context;
  const size_t bytes = (particles.end - particles.begin) * sizeof(float);
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(search->ccd->last[axis] + particles.begin,
           search->step->particles->pos[axis] + particles.begin, bytes);
  }
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    if (!search->ccd->is_corrected[i]) continue;
    atomic_store_explicit(&search->is_found, true, memory_order_relaxed);
    return;
  }
}

// Marks the particles that colliders have moved; finds one.
static void find_held(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  particle_search* search = context;
  const weft__ccd* ccd = search->ccd;
  const weft__particles* p = search->step->particles;
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    if (p->pos_x[i] == ccd->last[0][i] && p->pos_y[i] == ccd->last[1][i] &&
        p->pos_z[i] == ccd->last[2][i]) {
      continue;
    }
    ccd->is_held[i] = 1;
    atomic_store_explicit(&search->is_found, true, memory_order_relaxed);
  }
}

// Lets colliders push out what the pass has moved; true if they moved particles, and hits have to
// be found again.
static bool push_out(weft__ccd* ccd, const weft__step_context* step, weft__ccd_colliders* colliders,
                     void* context) {
  if (!find_particle(ccd, step, record_last, "record_last")) return false;
  colliders(context, step);
  if (!find_particle(ccd, step, find_held, "find_held")) return false;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    if (ccd->is_held[i]) weft__ccd_mark_moved(ccd, i);
  }
  weft__ccd_move_impact_zones(ccd, step);
  return true;
}

void weft__ccd_end_substep(weft__ccd* ccd, const weft__step_context* step,
                           weft__ccd_colliders* colliders, void* context) {
  if (!weft__ccd_is_due(ccd, step)) return;
  if (!resolve_hits(ccd, step, true)) roll_back_hits(ccd, step);
  for (int round = 0; round < COLLIDER_ROUNDS && colliders != NULL; ++round) {
    if (ccd->is_cut || !push_out(ccd, step, colliders, context)) break;
    if (!resolve_hits(ccd, step, false)) roll_back_hits(ccd, step);
  }
  end_pass(ccd, step);
  if (step->substep + 1 == step->substeps) weft__ccd_find_crossings(ccd, step);
}
