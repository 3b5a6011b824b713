#include "modules/ccd/ccd.h"

#include <string.h>

#include "base/grain_size.h"
#include "base/memory.h"
#include "modules/ccd/ccd_steps.h"
#include "modules/ccd/strands.h"
#include "tables/joints.h"

#define SOLVE_ROUNDS 12
#define ZONE_ROUNDS 32
// Rounds that roll back zones of hits, before all clusters connected to them are.
#define ROLL_BACK_ROUNDS 16
// Rounds that roll back connected clusters, before all are. Cluster pairs reach everything close,
// so one is enough as a rule.
#define GROUP_ROLL_BACK_ROUNDS 3
// Passes in which all clusters are one zone before cluster pairs without memory are searched again.
#define LACKING_PASSES 16u
// Rounds that join, and that roll back, zones of hits once the work of the step is spent.
#define CUT_ROUNDS 3
// Times that colliders push out particles that CCD has moved.
#define COLLIDER_ROUNDS 3
#define PAIRS_PER_PARTICLE 16u
#define MIN_PAIRS WEFT__GRAIN(1u << 19, 1u << 12)
#define MAX_PAIRS (1u << 30)
#define MIN_HITS 1024u
// Particles a crossing can be listed for: a tangle of more is worked off part by part.
#define PARTICLES_PER_CROSSING 2u
#define PARTICLE_GRAIN WEFT__GRAIN(2048u, 8u)

// ---- memory ----

// Bound on nodes of a BVH over so many clusters.
static size_t max_node_count(size_t clusters) {
  size_t nodes = 0;
  for (int level = 0; level < WEFT__CCD_LEVELS; ++level) {
    nodes += weft__round_up(clusters, 8);
    clusters = clusters / 8 + 1;
  }
  return nodes;
}

#define MEMBER(name) WEFT__MEMBER(weft__ccd, name)
#define PARTICLES(name, kind) WEFT__COLUMN(weft__ccd, name, particle_count, kind)
#define PARTICLE_AXES(name, kind) WEFT__VECTOR(weft__ccd, name, particle_count, kind)
#define FACE_CLUSTERS(name, kind) \
  WEFT__COLUMN(weft__ccd, name, clusters.face_cluster_capacity, kind)
#define CLUSTERS(name, kind) WEFT__COLUMN(weft__ccd, name, clusters.capacity, kind)
#define EDGES(name, kind) WEFT__COLUMN(weft__ccd, name, mesh.edge_count, kind)
#define OCTETS(name, kind) WEFT__COLUMN(weft__ccd, name, octet_capacity, kind)

static const weft__column columns[] = {
    MEMBER(on),
    MEMBER(pair_count),
    MEMBER(hit_count),
    MEMBER(rollback_count),
    MEMBER(stuck_count),
    MEMBER(lost),
    MEMBER(test_count),
    MEMBER(tangled_count),
    MEMBER(over_budget_count),
    MEMBER(round_count),
    MEMBER(materials_version),
    MEMBER(joints_version),
    MEMBER(is_built),
    MEMBER(named_count),
    MEMBER(pass),
    MEMBER(levels),
    MEMBER(level_first),
    MEMBER(level_count),
    MEMBER(search_count),
    MEMBER(listed_hits),
    MEMBER(zone_particle_count),
    MEMBER(round),
    MEMBER(last_hits),
    MEMBER(last_ccd_substep),
    MEMBER(is_stale),
    MEMBER(lacks_capacity),
    MEMBER(passes_lacking),
    MEMBER(has_overspent),
    MEMBER(tangles.crossing_count),
    MEMBER(tangles.found_count),
    MEMBER(tangles.resolved_count),
    MEMBER(tangles.shapes.region_count),
    MEMBER(tangles.shapes.is_aged),
    PARTICLE_AXES(start, WEFT__CACHE),
    PARTICLES(zone_parent, WEFT__CACHE),
    PARTICLES(zone_particle, WEFT__CACHE),
    PARTICLES(impact_zone, WEFT__CACHE),
    PARTICLES(is_corrected, WEFT__CACHE),
    PARTICLES(is_rolled_back, WEFT__CACHE),
    PARTICLES(is_held, WEFT__CACHE),
    PARTICLES(held_back, WEFT__STATE),
    CLUSTERS(displacement, WEFT__CACHE),
    FACE_CLUSTERS(bend, WEFT__CACHE),
    FACE_CLUSTERS(relative, WEFT__CACHE),
    FACE_CLUSTERS(pass_relative, WEFT__CACHE),
    FACE_CLUSTERS(flat_valid_until, WEFT__CACHE),
    CLUSTERS(valid_until, WEFT__CACHE),
    CLUSTERS(zone_state, WEFT__CACHE),
    CLUSTERS(group_parent, WEFT__CACHE),
    CLUSTERS(is_moved, WEFT__CACHE),
    FACE_CLUSTERS(box_pass, WEFT__CACHE),
    CLUSTERS(last_search, WEFT__CACHE),
    CLUSTERS(has_radius, WEFT__CACHE),
    CLUSTERS(material, WEFT__CACHE),
    WEFT__VECTOR_TIMES(weft__ccd, nodes.side, 1, node_capacity, WEFT__AABB_LANES, WEFT__CACHE),
    PARTICLE_AXES(tangles.push, WEFT__STATE),
    PARTICLES(tangles.is_tangled, WEFT__STATE),
    CLUSTERS(tangles.is_cluster_tangled, WEFT__STATE),
    PARTICLES(tangles.shapes.age, WEFT__STATE),
    PARTICLES(tangles.shapes.matched, WEFT__STATE),
    PARTICLES(tangles.shapes.is_crossed_in_scene, WEFT__STATE),
    PARTICLES(tangles.shapes.member, WEFT__STATE),
    WEFT__COLUMN_TIMES(weft__ccd, tangles.shapes.first, 1, particle_count, 1, WEFT__STATE),
    // saved in the order of clusters: places in memory depend on the workers
    CLUSTERS(pair_list, 0),
    WEFT__COLUMN(weft__ccd, tangles.crossing, tangles.capacity, WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__ccd, tangles.first, 1, clusters.capacity, 1, WEFT__SCRATCH),
    CLUSTERS(tangles.box, WEFT__SCRATCH),
    PARTICLES(tangles.parent, WEFT__SCRATCH),
    PARTICLES(tangles.size, WEFT__SCRATCH),
    PARTICLES(tangles.pair_count, WEFT__SCRATCH),
    PARTICLES(tangles.cloth, WEFT__SCRATCH),
    PARTICLES(tangles.shift, WEFT__SCRATCH),
    PARTICLES(tangles.is_crossed, WEFT__SCRATCH),
    PARTICLES(tangles.is_contour_end, WEFT__SCRATCH),
    EDGES(tangles.is_edge_crossed, WEFT__SCRATCH),
    PARTICLES(tangles.shapes.next_age, WEFT__SCRATCH),
    PARTICLE_AXES(last, WEFT__SCRATCH),
    PARTICLE_AXES(aim, WEFT__SCRATCH),
    PARTICLES(corrected, WEFT__SCRATCH),
    EDGES(limited_edge, WEFT__SCRATCH),
    CLUSTERS(is_changed, WEFT__SCRATCH),
    OCTETS(active, WEFT__SCRATCH),
    OCTETS(affected, WEFT__SCRATCH),
    OCTETS(is_open, WEFT__SCRATCH),
    OCTETS(filter, WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__ccd, candidate, WEFT__CLUSTER_MAX_PAIRS, worker_count, 0,
                       WEFT__SCRATCH),
    WEFT__COLUMN(weft__ccd, extent, worker_count, WEFT__SCRATCH),
};

const weft__table weft__ccd_table = WEFT__TABLE(columns);

static void set_capacities(weft__ccd* ccd) {
  const weft__ccd_clusters* clusters = &ccd->clusters;
  ccd->octet_capacity = clusters->capacity / 8 + 1;
  ccd->node_capacity = (uint32_t)max_node_count(clusters->face_cluster_capacity);
  ccd->tangles.capacity = ccd->particle_count / PARTICLES_PER_CROSSING + 64;
  ccd->flatness.cluster_count = clusters->face_cluster_capacity;
  ccd->positions.member_count = clusters->member_capacity;
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
  set_capacities(ccd);
  if (!weft__columns_create(ccd, &weft__ccd_table, 0, &ccd->block, &ccd->own_bytes) ||
      !weft__columns_create(&ccd->positions, &weft__ccd_positions_table, 0, &ccd->positions.block,
                            &ccd->own_bytes) ||
      !weft__columns_create(&ccd->flatness, &weft__flatness_table, 0, &ccd->flatness.block,
                            &ccd->own_bytes)) {
    return false;
  }
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
  weft__free(ccd->positions.block);
  weft__free(ccd->flatness.block);
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
  if (setup->materials->exact_count == 0 ||
      (ccd->block == NULL && !weft__ccd_has_features(setup))) {
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

typedef struct particle_search {
  weft__ccd* ccd;
  weft__step_context* step;
  _Atomic bool is_found; /* relaxed: read after the loop */
} particle_search;

static bool find_particle(weft__ccd* ccd, weft__step_context* step, weft__range_task* task,
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

void weft__ccd_begin_step(weft__ccd* ccd, weft__step_context* step) {
  if (find_particle(ccd, step, record_particles, "record_particles")) ccd->is_stale = true;
  if (ccd->joints_version != step->joints->version) ccd->is_stale = true;
  ccd->joints_version = step->joints->version;
  ccd->flatness.kernels = step->kernels;
  weft__ccd_renew_clusters(ccd, step);
  // particles moved by the caller may cross
  ccd->tangles.is_due = ccd->is_stale;
  ccd->hit_count = ccd->tangled_count = ccd->over_budget_count = ccd->round_count = 0;
  ccd->test_count = 0;
  ccd->last_ccd_substep = UINT32_MAX;
}

// True if impact zones of clusters over budget grew.
static bool join_overspent(weft__ccd* ccd, weft__step_context* step, uint32_t verdict,
                           bool is_rolling) {
  return (verdict & WEFT__VERDICT_OVERSPENT) != 0 &&
         weft__ccd_join_overspent(ccd, step, is_rolling);
}

// True if no hits remain.
static bool resolve_hits(weft__ccd* ccd, weft__step_context* step, bool is_first) {
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

static void roll_back_hits(weft__ccd* ccd, weft__step_context* step) {
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

// Colliders and thick cloth push out of overlap without velocity: prev moves along. Where CCD
// undoes such a push, prev has to return, or the particle keeps a velocity it did not travel with:
// prev becomes the point between itself and the start that is closest to the current position.
// Speed never grows; an unmoved prev is at the start and stays.
static void restore_velocity(const weft__ccd* ccd, weft__particles* p, uint32_t i) {
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

typedef struct ending {
  weft__ccd* ccd;
  weft__step_context* step;
  _Atomic uint64_t stuck; /* particles */
} ending;

// Restores velocities after a pass of one substep, and begins the next pass. The start of the last
// substep of a longer pass is not known: there only weft__ccd_move() has changed velocities.
static void end_particles(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  ending* job = context;
  const weft__ccd* ccd = job->ccd;
  weft__particles* p = job->step->particles;
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

static void end_pass(weft__ccd* ccd, weft__step_context* step) {
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

// Lets colliders push out moved particles; true if they moved some, and hits have to be found
// again.
static bool push_out(weft__ccd* ccd, weft__step_context* step, weft__ccd_colliders* colliders,
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

void weft__ccd_end_substep(weft__ccd* ccd, weft__step_context* step, weft__ccd_colliders* colliders,
                           void* context) {
  if (!weft__ccd_is_due(ccd, step)) return;
  if (!resolve_hits(ccd, step, true)) roll_back_hits(ccd, step);
  for (int round = 0; round < COLLIDER_ROUNDS && colliders != NULL; ++round) {
    if (ccd->is_cut || !push_out(ccd, step, colliders, context)) break;
    if (!resolve_hits(ccd, step, false)) roll_back_hits(ccd, step);
  }
  end_pass(ccd, step);
  if (step->substep + 1 == step->substeps) weft__ccd_find_crossings(ccd, step);
}
