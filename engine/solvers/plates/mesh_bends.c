#include "solvers/plates/mesh_bends.h"

#include "base/grain_size.h"
#include "solvers/plates/elimination.h"

#define EDGE_GRAIN WEFT__GRAIN(16u, 1u)
#define NODE_GRAIN WEFT__GRAIN(4u, 1u)

typedef struct bend_pass {
  const weft__mesh_bends* bends;
  const weft__step_context* step;
  uint32_t first_node;
} bend_pass;

static bool is_left_out(const bend_pass* t, uint32_t index) {
  const weft__bend_mesh* mesh = &t->bends->meshes[index];
  return mesh->is_held || !weft__mesh_bends_solves(t->bends, index) ||
         weft__step_is_paused(t->step, t->bends->particle[mesh->first_vertex]);
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
    t->step->kernels->measure_bend_edges(t->step->particles, t->bends, g, g + 1);
  }
}

static void eliminate_nodes(void* context, weft__range nodes, uint32_t worker) {
  (void)worker;
  const bend_pass* t = context;
  for (uint32_t i = nodes.begin; i < nodes.end; ++i) {
    const weft__bend_node* node = &t->bends->nodes[t->first_node + i];
    if (is_left_out(t, node->mesh)) continue;
    t->step->kernels->eliminate_bend_node(t->bends, node);
  }
}

static void substitute_nodes(void* context, weft__range nodes, uint32_t worker) {
  (void)worker;
  const bend_pass* t = context;
  for (uint32_t i = nodes.begin; i < nodes.end; ++i) {
    const weft__bend_node* node = &t->bends->nodes[t->first_node + i];
    if (is_left_out(t, node->mesh)) continue;
    t->step->kernels->substitute_bend_node(t->step->particles, t->bends, node);
  }
}

static uint32_t nodes_of_level(bend_pass* t, uint32_t level) {
  t->first_node = t->bends->level_first[level];
  return t->bends->level_first[level + 1] - t->first_node;
}

void weft__mesh_bends_solve(const weft__mesh_bends* bends, const weft__step_context* step) {
  if (bends->hinge_count == 0) return;
  for (uint32_t m = 0; m < bends->mesh_count; ++m) {
    weft__bend_mesh* mesh = &bends->meshes[m];
    if (!weft__mesh_bends_solves(bends, m)) continue;
    if (mesh->is_stale || mesh->is_changed) weft__mesh_bends_factor(bends, mesh, step->particles);
  }
  bend_pass t = {bends, step, 0};
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
