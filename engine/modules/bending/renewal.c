#include "modules/bending/renewal.h"

#include "modules/bending/elimination.h"

void weft__mesh_bends_set_stale(const weft__mesh_bends* bends) {
  for (uint32_t m = 0; m < bends->mesh_count; ++m) bends->meshes[m].is_stale = true;
}

static void set_removal(const weft__mesh_bends* bends, const weft__bend_mesh* mesh, uint8_t from,
                        uint8_t to) {
  for (uint32_t h = mesh->first_hinge; h < mesh->first_hinge + mesh->hinge_count; ++h) {
    if (bends->removed[h] >= from && bends->removed[h] < to) bends->removed[h] = to;
  }
}

// All factors are to be computed again, and lack all removed hinges.
static void change_mesh(weft__mesh_bends* bends, uint32_t m) {
  weft__bend_mesh* mesh = &bends->meshes[m];
  set_removal(bends, mesh, WEFT__HINGE_IN_FACTORS, WEFT__HINGE_GONE);
  mesh->is_torn = false;
  mesh->is_changed = true;
  mesh->is_stiff = weft__mesh_bends_is_stiff(bends, m);
  if (bends->renewed == m) bends->renewals = bends->steps = 0;
}

void weft__mesh_bends_set_rate(weft__mesh_bends* bends, float rate_squared) {
  if (bends->rate_squared == rate_squared) return;
  bends->rate_squared = rate_squared;
  for (uint32_t m = 0; m < bends->mesh_count; ++m) change_mesh(bends, m);
}

static void set_moments(const weft__mesh_bends* bends, const weft__bend_mesh* mesh, uint32_t begin,
                        uint32_t end) {
  const uint8_t removal = mesh->is_stiff ? WEFT__HINGE_GONE : WEFT__HINGE_IN_FACTORS;
  for (uint32_t i = 2 * begin; i < 2 * end; ++i) {
    weft__bend_plate_set_moments(bends, bends->plates_of[i], removal);
  }
}

void weft__mesh_bends_remove(weft__mesh_bends* bends, uint32_t hinge) {
  if (bends->removed[hinge] != WEFT__HINGE_KEPT) return;
  bends->removed[hinge] = WEFT__HINGE_IN_FACTORS;
  weft__bend_mesh* mesh = &bends->meshes[bends->mesh_of_hinge[hinge]];
  mesh->is_torn = true;
  set_moments(bends, mesh, hinge, hinge + 1);
}

// A mesh without free particles, such as one asleep, keeps its factors.
static void load_masses(weft__mesh_bends* bends, uint32_t m, const weft__particles* particles) {
  weft__bend_mesh* mesh = &bends->meshes[m];
  const uint32_t end = mesh->first_vertex + mesh->vertex_count;
  bool is_changed = false, is_held = true;
  for (uint32_t v = mesh->first_vertex; v < end; ++v) {
    const float inv_mass = particles->inv_mass[bends->particle[v]];
    is_held &= inv_mass == 0.0f;
    is_changed |= inv_mass != bends->inv_mass[v];
  }
  mesh->is_stale = false;
  mesh->is_held = is_held;
  if (is_held || !is_changed) return;
  for (uint32_t v = mesh->first_vertex; v < end; ++v) {
    bends->inv_mass[v] = particles->inv_mass[bends->particle[v]];
  }
  change_mesh(bends, m);
}

static void factor_nodes(const weft__mesh_bends* bends, const weft__bend_mesh* mesh, uint32_t count,
                         uint8_t removal, double* front) {
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t node = bends->order[mesh->first_node + n];
    const weft__range all = {0, weft__bend_node_steps(&bends->nodes[node])};
    weft__bend_node_factor(bends, node, removal, all, front);
  }
}

// Node that is being renewed.
static uint32_t renewed_node(const weft__mesh_bends* bends) {
  const weft__bend_mesh* mesh = &bends->meshes[bends->renewed];
  return bends->order[mesh->first_node + mesh->node_count - bends->renewals];
}

static void take_steps(const weft__mesh_bends* bends, weft__range steps) {
  weft__bend_node_factor(bends, renewed_node(bends), WEFT__HINGE_RENEWED, steps,
                         bends->front + bends->front_count);
}

static void factor_mesh(const weft__mesh_bends* bends, uint32_t m) {
  weft__bend_mesh* mesh = &bends->meshes[m];
  mesh->is_changed = false;
  weft__mesh_bends_set_edges(bends, m);
  set_moments(bends, mesh, mesh->first_hinge, mesh->first_hinge + mesh->hinge_count);
  factor_nodes(bends, mesh, mesh->node_count, WEFT__HINGE_GONE, bends->front);
  if (bends->renewed != m || bends->renewals == 0 || mesh->is_stiff) return;
  factor_nodes(bends, mesh, mesh->node_count - bends->renewals, WEFT__HINGE_RENEWED,
               bends->front + bends->front_count);
  take_steps(bends, (weft__range){0, bends->steps});
}

static void factor_if_changed(weft__mesh_bends* bends, uint32_t m) {
  const weft__bend_mesh* mesh = &bends->meshes[m];
  if (mesh->is_held || !mesh->is_changed || !weft__mesh_bends_solves(bends, m)) return;
  factor_mesh(bends, m);
}

void weft__mesh_bends_update(weft__mesh_bends* bends, uint32_t m,
                             const weft__particles* particles) {
  if (bends->meshes[m].is_stale) load_masses(bends, m, particles);
  factor_if_changed(bends, m);
}

// All factors of a stiff mesh are computed at once; the time of a renewal passes as a pause.
static void begin_renewal(weft__mesh_bends* bends, uint32_t m) {
  weft__bend_mesh* mesh = &bends->meshes[m];
  if (mesh->is_stiff) change_mesh(bends, m);
  factor_if_changed(bends, m);
  set_removal(bends, mesh, WEFT__HINGE_IN_FACTORS, WEFT__HINGE_RENEWED);
  mesh->is_torn = false;
  bends->renewed = m;
  bends->renewals = mesh->node_count;
  bends->steps = 0;
}

// Begins with the next torn mesh. False if there is none.
static bool begin_next(weft__mesh_bends* bends) {
  for (uint32_t k = 1; k <= bends->mesh_count; ++k) {
    const uint32_t m = (bends->renewed + k) % bends->mesh_count;
    if (!bends->meshes[m].is_torn) continue;
    begin_renewal(bends, m);
    return true;
  }
  return false;
}

static void end_node(weft__mesh_bends* bends) {
  bends->steps = 0;
  if (--bends->renewals > 0) return;
  set_removal(bends, &bends->meshes[bends->renewed], WEFT__HINGE_RENEWED, WEFT__HINGE_GONE);
}

// Work that is left. A mesh that other processes solve is factored when this one does.
static uint64_t renew_node(weft__mesh_bends* bends, uint64_t work) {
  weft__bend_mesh* mesh = &bends->meshes[bends->renewed];
  const weft__bend_node* node = &bends->nodes[renewed_node(bends)];
  const uint64_t cost = weft__bend_step_work(node), most = work / cost + 1;
  const uint32_t end = weft__bend_node_steps(node);
  const uint32_t count = most < end - bends->steps ? (uint32_t)most : end - bends->steps;
  const weft__range steps = {bends->steps, bends->steps + count};
  mesh->is_changed |= !weft__mesh_bends_solves(bends, bends->renewed);
  if (!mesh->is_changed && !mesh->is_stiff) take_steps(bends, steps);
  bends->steps += count;
  if (bends->steps == end) end_node(bends);
  return count * cost < work ? work - count * cost : 0;
}

// As many multiplications as factors that the solves read take about half as long as these.
void weft__mesh_bends_renew(weft__mesh_bends* bends, uint64_t work) {
  while (work > 0 && (bends->renewals > 0 || begin_next(bends))) work = renew_node(bends, work);
}

void weft__mesh_bends_loaded(void* table) {
  weft__mesh_bends* bends = table;
  for (uint32_t m = 0; m < bends->mesh_count; ++m) {
    weft__bend_mesh* mesh = &bends->meshes[m];
    mesh->is_stale = mesh->is_changed = true;
    mesh->is_torn = false;
    mesh->is_stiff = weft__mesh_bends_is_stiff(bends, m);
    for (uint32_t h = mesh->first_hinge; h < mesh->first_hinge + mesh->hinge_count; ++h) {
      mesh->is_torn |= bends->removed[h] == WEFT__HINGE_IN_FACTORS;
    }
  }
}

bool weft__mesh_bends_is_sound(const void* table) {
  const weft__mesh_bends* bends = table;
  if (bends->mesh_count == 0) return bends->renewals == 0;
  if (bends->renewed >= bends->mesh_count) return false;
  if (bends->renewals == 0) return bends->steps == 0;
  return bends->renewals <= bends->meshes[bends->renewed].node_count &&
         bends->steps < weft__bend_node_steps(&bends->nodes[renewed_node(bends)]);
}
