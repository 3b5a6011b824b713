/* Clusters, and their flat regions, of the faces and particles that take part in CCD. They follow
 * from the mesh, from positions in the scene, and from the particles that take
 * part, in time linear in the world. No step pays for a new scene: the call that names the last of
 * as many particles as the world has builds them; a step does if particles have joined or left
 * since. */
#include "modules/ccd/ccd_steps.h"

#define FLATNESS_GRAIN WEFT__GRAIN(8u, 1u)

// ---- clusters ----

static void choose_planes(void* context, weft__range clusters, uint32_t worker) {
  (void)worker;
  const weft__ccd* ccd = context;
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    weft__flatness_choose_plane(&ccd->flatness, &ccd->clusters, ccd->faces, c);
  }
}

static void build_regions(void* context, weft__range clusters, uint32_t worker) {
  (void)worker;
  const weft__ccd* ccd = context;
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    weft__flatness_build_regions(&ccd->flatness, &ccd->clusters, &ccd->mesh, ccd->faces, c);
  }
}

static void count_nodes(weft__ccd* ccd) {
  uint32_t count = ccd->clusters.face_cluster_count;
  uint32_t first = 0;
  ccd->levels = 0;
  do {
    ccd->level_first[ccd->levels] = first;
    ccd->level_count[ccd->levels++] = count;
    first += (uint32_t)weft__round_up(count, 8);
    count = (count + 7) / 8;
  } while (count > 1);
}

static void build_clusters(weft__ccd* ccd, const weft__materials* materials,
                           weft__worker_pool* pool) {
  weft__ccd_clusters_build(&ccd->clusters, &ccd->mesh, ccd->faces, materials, ccd->particle_count);
  count_nodes(ccd);
  const uint32_t count = ccd->clusters.face_cluster_count;
  weft__worker_pool_for(pool, count, FLATNESS_GRAIN, choose_planes, ccd);
  weft__worker_pool_for(pool, count, FLATNESS_GRAIN, build_regions, ccd);
}

// True if the same faces and particles take part as when clusters were built.
static bool are_current(const weft__ccd* ccd, const weft__materials* materials) {
  if (ccd->levels == 0) return false;
  const weft__ccd_clusters* clusters = &ccd->clusters;
  for (uint32_t f = 0; f < ccd->mesh.face_count; ++f) {
    const bool is_listed = clusters->slot_of_face[f] != WEFT__NONE;
    if (weft__face_is_ccd(ccd->faces, materials, f) != is_listed) return false;
  }
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    const bool is_listed = clusters->leaf_of_vertex[i] != WEFT__NONE;
    if ((materials->of[i] != 0) != is_listed) return false;
  }
  return true;
}

// ---- calls ----

void weft__ccd_name_particles(weft__ccd* ccd, const weft__contact_setup* setup,
                              weft__worker_pool* pool, uint32_t count) {
  ccd->named_count += count;
  if (!ccd->on || ccd->named_count < ccd->particle_count) return;
  ccd->named_count = 0;
  if (are_current(ccd, setup->materials)) return;
  weft__worker_pool_begin(pool);
  build_clusters(ccd, setup->materials, pool);
}

// ---- a step ----

static bool has_radius(const weft__ccd* ccd, const weft__materials* materials, uint32_t cluster) {
  const weft__range members = weft__cluster_members(&ccd->clusters, cluster);
  for (uint32_t m = members.begin; m < members.end; ++m) {
    if (weft__ccd_radius(weft__material_of(materials, ccd->clusters.member[m])) > 0.0f) return true;
  }
  return false;
}

static uint32_t common_material(const weft__ccd* ccd, const weft__materials* materials,
                                uint32_t cluster) {
  const weft__range members = weft__cluster_members(&ccd->clusters, cluster);
  const uint32_t first = materials->of[ccd->clusters.member[members.begin]];
  for (uint32_t m = members.begin + 1; m < members.end; ++m) {
    if (materials->of[ccd->clusters.member[m]] != first) return WEFT__NONE;
  }
  return first;
}

void weft__ccd_renew_clusters(weft__ccd* ccd, const weft__step_context* step) {
  if (ccd->is_built && ccd->materials_version == step->materials->version) return;
  if (are_current(ccd, step->materials)) {
    for (uint32_t c = 0; c < ccd->clusters.face_cluster_count; ++c) {
      weft__flatness_reset_regions(&ccd->flatness, c);
    }
  } else {
    build_clusters(ccd, step->materials, step->pool);
  }
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) {
    ccd->has_radius[c] = has_radius(ccd, step->materials, c);
    ccd->material[c] = common_material(ccd, step->materials, c);
  }
  ccd->materials_version = step->materials->version;
  ccd->is_built = true;
  ccd->is_stale = true;
  weft__ccd_forget_crossings(ccd);
}
