#include "modules/bending/plates.h"

#include <math.h>
#include <string.h>

#include "base/grain_size.h"
#include "kernels/kernels.h"
#include "modules/bending/renewal.h"
#include "step/stage.h"

#define EDGE_GRAIN WEFT__GRAIN(16u, 1u)
#define NODE_GRAIN WEFT__GRAIN(4u, 1u)

typedef struct bend_pass {
  const weft__mesh_bends* bends;
  weft__step_context* step;
  const weft__plate_kernels* kernels;
  uint32_t first_node;
} bend_pass;

static bool is_on(const void* state) {
  return ((const weft__mesh_bends*)state)->hinge_count > 0;
}

static uint32_t count_meshes(const void* state) {
  return is_on(state) ? ((const weft__mesh_bends*)state)->mesh_count : 0;
}

static weft__particle_set list_mesh(const void* state, uint32_t index) {
  const weft__mesh_bends* bends = state;
  const weft__bend_mesh* mesh = &bends->meshes[index];
  return (weft__particle_set){bends->particle + mesh->first_vertex, mesh->vertex_count};
}

const weft__halo_rows weft__bend_mesh_rows = {
    .set_count = count_meshes, .set = list_mesh, .solves = offsetof(weft__mesh_bends, solves)};

static const weft__halo_read mesh_positions = {&weft__bend_mesh_rows, &weft__particle_positions};

static const weft__plate_kernels* kernels_of(const weft__step_context* step) {
  return step->kernels->of_stage[WEFT__STAGE_PLATES];
}

// The same in all processes.
static bool acts(const weft__mesh_bends* bends, const weft__step_context* step, uint32_t index) {
  const weft__bend_mesh* mesh = &bends->meshes[index];
  return !mesh->is_held && !weft__step_skips(step, bends->particle[mesh->first_vertex]);
}

static bool is_left_out(const bend_pass* t, uint32_t index) {
  return !weft__mesh_bends_solves(t->bends, index) || !acts(t->bends, t->step, index);
}

static bool is_measured(const weft__mesh_bends* bends, uint32_t group) {
  const uint32_t first = group * (uint32_t)WEFT__LANES;
  for (uint32_t h = first; h < first + WEFT__LANES && h < bends->hinge_count; ++h) {
    if (weft__mesh_bends_solves(bends, bends->mesh_of_hinge[h])) return true;
  }
  return false;
}

static void measure_edges(void* context, weft__range groups, uint32_t worker) {
  (void)worker;
  const bend_pass* t = context;
  for (uint32_t g = groups.begin; g < groups.end; ++g) {
    if (!is_measured(t->bends, g)) continue;
    t->kernels->measure_edges(t->step->particles, t->bends, g, g + 1);
  }
}

static void eliminate_nodes(void* context, weft__range nodes, uint32_t worker) {
  (void)worker;
  const bend_pass* t = context;
  for (uint32_t i = nodes.begin; i < nodes.end; ++i) {
    const weft__bend_node* node = &t->bends->nodes[t->first_node + i];
    if (is_left_out(t, node->mesh)) continue;
    t->kernels->eliminate(t->bends, node);
  }
}

static void substitute_nodes(void* context, weft__range nodes, uint32_t worker) {
  (void)worker;
  const bend_pass* t = context;
  for (uint32_t i = nodes.begin; i < nodes.end; ++i) {
    const weft__bend_node* node = &t->bends->nodes[t->first_node + i];
    if (is_left_out(t, node->mesh)) continue;
    t->kernels->substitute(t->step->particles, t->bends, node);
  }
}

static uint32_t nodes_of_level(bend_pass* t, uint32_t level) {
  t->first_node = t->bends->level_first[level];
  return t->bends->level_first[level + 1] - t->first_node;
}

// Once a substep, after integration. Errors that links cause are left to the next substep.
static void solve(void* state, weft__step_context* step) {
  weft__mesh_bends* bends = state;
  uint64_t work = 0;
  for (uint32_t m = 0; m < bends->mesh_count; ++m) {
    weft__mesh_bends_update(bends, m, step->particles);
    if (acts(bends, step, m)) work += bends->meshes[m].work;
  }
  weft__mesh_bends_renew(bends, work);
  bend_pass t = {bends, step, kernels_of(step), 0};
  weft__step_for(step, bends->edge_group_count, EDGE_GRAIN, measure_edges, &t);
  for (uint32_t level = bends->level_count; level-- > 0;) {
    const uint32_t count = nodes_of_level(&t, level);
    weft__step_for(step, count, NODE_GRAIN, eliminate_nodes, &t);
  }
  for (uint32_t level = 0; level < bends->level_count; ++level) {
    const uint32_t count = nodes_of_level(&t, level);
    weft__step_for(step, count, NODE_GRAIN, substitute_nodes, &t);
  }
}

static void crease_edges(void* context, weft__range groups, uint32_t worker) {
  (void)worker;
  const bend_pass* t = context;
  for (uint32_t g = groups.begin; g < groups.end; ++g) {
    if (is_measured(t->bends, g)) t->kernels->crease_edges(t->step->particles, t->bends, g, g + 1);
  }
}

// By the folds that a substep ends with: within it, particles have moved that hold others.
static void crease(void* state, weft__step_context* step) {
  const weft__mesh_bends* bends = state;
  if (bends->crease_group_count == 0) return;
  weft__domain_read(step->domain, &mesh_positions, step->particles);
  bend_pass t = {bends, step, kernels_of(step), 0};
  weft__step_for(step, bends->crease_group_count, EDGE_GRAIN, crease_edges, &t);
}

static bool claim_hinges(void* state, const weft__build* build) {
  return weft__mesh_bends_create(state, build->schedule, build->scene, build->solved_hinges);
}

static void destroy(void* state) {
  weft__columns_free(state, &weft__mesh_bends_table);
}

static void changed(void* state, const weft__change* change) {
  weft__mesh_bends* bends = state;
  if (change->kind == WEFT__CHANGE_MASSES) weft__mesh_bends_set_stale(bends);
  if (change->kind == WEFT__CHANGE_RATE) {
    weft__mesh_bends_set_rate(bends, (float)change->inv_step_sq);
  }
  if (change->kind == WEFT__CHANGE_TORN) {
    weft__mesh_bends_tear(bends, change->ends[0], change->ends[1]);
  }
  if (change->kind == WEFT__CHANGE_REMOVED) {
    weft__mesh_bends_release(bends, change->lets_go, change->context);
  }
}

// Hinges have d = J over its largest coefficient.
static float rest_length_of(const weft__mesh_bends* bends, uint32_t h) {
  const weft__bend_edges* edges = &bends->edges[h / WEFT__LANES];
  const float first = edges->rest_jump[h % WEFT__LANES];
  const float present = weft__rest_jumps(bends, h / WEFT__LANES)[h % WEFT__LANES];
  if (present == first) return bends->hinges[h].rest_length;
  float largest = 0.0f;
  for (int k = 0; k < 4; ++k) {
    const float size = fabsf(edges->coefficient[k][h % WEFT__LANES]);
    if (size > largest) largest = size;
  }
  return present / largest;
}

static void visit_hinges(const void* state, weft__visit_hinge* visit, void* context) {
  const weft__mesh_bends* bends = state;
  for (uint32_t h = 0; h < bends->hinge_count; ++h) {
    if (bends->removed[h] != WEFT__HINGE_KEPT) continue;
    const weft__hinge* from = &bends->hinges[h];
    weft__hinge_element hinge = {.rest_length = rest_length_of(bends, h),
                                 .compliance = from->compliance};
    memcpy(hinge.particle, from->particle, sizeof(hinge.particle));
    memcpy(hinge.coefficient, from->coefficient, sizeof(hinge.coefficient));
    visit(context, &hinge);
  }
}

const weft__stage weft__plates_stage = {
    .name = "plates",
    .profile = WEFT_STAGE_LINKS,
    .size = sizeof(weft__mesh_bends),
    .bytes = offsetof(weft__mesh_bends, bytes),
    .table = &weft__mesh_bends_table,
    .claim_hinges = claim_hinges,
    .destroy = destroy,
    .is_on = is_on,
    .run = {[WEFT__PHASE_ELASTICITY] = solve, [WEFT__PHASE_END] = crease},
    // at the end only the halo of meshes that crease
    .writes = {[WEFT__PHASE_ELASTICITY] = WEFT__WRITES(POS), [WEFT__PHASE_END] = WEFT__WRITES(POS)},
    .reads = {[WEFT__PHASE_ELASTICITY] = {&weft__bend_mesh_rows, &weft__particle_positions}},
    .changed = changed,
    .visit_hinges = visit_hinges,
};
