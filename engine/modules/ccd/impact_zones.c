/* Impact zones: particles of hits that the solve cannot separate move as one for the rest of the
 * pass, or are rolled back together.
 *
 * Hits are joined one by one in a union-find. A zone moves by the mass-weighted mean of its
 * particles' displacements: none of its pairs hit, and linear momentum is kept. It may hit other
 * particles, which then join, as do particles welded to it: a seam does not open. A zone with
 * particles that colliders hold moves as these do, and one with a pinned particle as that one. All
 * of it is serial: few pairs get here.
 *
 * (Harmon, Vouga, Tamstorf, Grinspun 2008, whose zones keep angular momentum as well. Rejected
 * here: features that touch and turn come closer along a normal that stands still, so the narrow
 * phase takes their pairs for hits, and more is rolled back.) */
#include "base/union_find.h"
#include "modules/ccd/ccd_steps.h"
#include "tables/joints.h"

// Weight of a particle that a collider holds in the mean of its zone, as a multiple of its mass:
// the collider does not give way, so the rest of the zone does.
#define HELD_WEIGHT 1e3

// ---- joining ----

static void add_particle(weft__ccd* ccd, uint32_t particle) {
  if (ccd->zone_parent[particle] != WEFT__NONE) return;
  ccd->zone_parent[particle] = particle;
  ccd->zone_particle[ccd->zone_particle_count++] = particle;
}

static void join_particles(weft__ccd* ccd, const uint32_t* particle, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    add_particle(ccd, particle[k]);
    (void)weft__unite(ccd->zone_parent, particle[0], particle[k]);
  }
}

static void join_welded(weft__ccd* ccd, const weft__joints* joints) {
  for (uint32_t n = 0; n < ccd->zone_particle_count && joints->count > 0; ++n) {
    const uint32_t i = ccd->zone_particle[n];
    for (uint32_t end = weft__joints_first_end(joints, i); end != WEFT__NO_JOINT;
         end = weft__joints_next_end(joints, i, end)) {
      const weft__joint* joint = &joints->joints[end / WEFT__JOINT_ENDS];
      if (weft__joint_is_weld(joint) && joint->excess == 0.0f)
        join_particles(ccd, joint->particle, joint->end_count);
    }
  }
}

static const uint32_t* cluster_particles(const weft__ccd* ccd, uint32_t cluster, uint32_t* count) {
  const weft__range members = weft__cluster_members(&ccd->clusters, cluster);
  *count = members.end - members.begin;
  return ccd->clusters.member + members.begin;
}

static uint32_t first_particle(const weft__ccd* ccd, uint32_t cluster) {
  return ccd->clusters.member[weft__cluster_members(&ccd->clusters, cluster).begin];
}

static void join_cluster(weft__ccd* ccd, uint32_t cluster) {
  uint32_t count;
  const uint32_t* member = cluster_particles(ccd, cluster, &count);
  if (ccd->zone_state[cluster] == WEFT__ZONE_NONE) ccd->zone_state[cluster] = WEFT__ZONE_WHOLE;
  join_particles(ccd, member, count);
}

// True if they were not in one zone before.
static bool join_clusters(weft__ccd* ccd, uint32_t a, uint32_t b) {
  const bool is_new =
      ccd->zone_state[a] == WEFT__ZONE_NONE || ccd->zone_state[b] == WEFT__ZONE_NONE;
  if (ccd->zone_state[a] == WEFT__ZONE_NONE) join_cluster(ccd, a);
  if (ccd->zone_state[b] == WEFT__ZONE_NONE) join_cluster(ccd, b);
  return weft__unite(ccd->zone_parent, first_particle(ccd, a), first_particle(ccd, b)) || is_new;
}

void weft__ccd_clear_impact_zones(weft__ccd* ccd) {
  for (uint32_t n = 0; n < ccd->zone_particle_count; ++n) {
    ccd->zone_parent[ccd->zone_particle[n]] = WEFT__NONE;
    ccd->is_rolled_back[ccd->zone_particle[n]] = 0;
  }
  ccd->zone_particle_count = 0;
  ccd->has_overspent = false;
}

// ---- moving ----

static void sum_zones(weft__ccd* ccd, const weft__particles* p) {
  for (uint32_t n = 0; n < ccd->zone_particle_count; ++n) {
    ccd->impact_zone[ccd->zone_particle[n]] = (weft__impact_zone){0};
    ccd->zone_parent[ccd->zone_particle[n]] =
        weft__find_root(ccd->zone_parent, ccd->zone_particle[n]);
  }
  for (uint32_t n = 0; n < ccd->zone_particle_count; ++n) {
    const uint32_t i = ccd->zone_particle[n];
    weft__impact_zone* zone = &ccd->impact_zone[ccd->zone_parent[i]];
    if (ccd->is_rolled_back[i]) zone->is_rolled_back = true;
    if (zone->is_pinned) continue;
    if (p->inv_mass[i] == 0.0f) {
      *zone = (weft__impact_zone){.is_pinned = true, .is_rolled_back = zone->is_rolled_back};
    }
    const double weight = ccd->is_held[i] ? HELD_WEIGHT : 1.0;
    const double mass = zone->is_pinned ? 1.0 : weight / (double)p->inv_mass[i];
    zone->mass += mass;
    for (int axis = 0; axis < 3; ++axis) {
      const double start = (double)ccd->start[axis][i];
      zone->mass_displacement[axis] += mass * ((double)p->pos[axis][i] - start);
      zone->mass_earlier[axis] += mass * ((double)p->prev[axis][i] - start);
    }
  }
}

// A zone that would move a particle out of bounds does not move along that axis.
static void respect_bounds(weft__ccd* ccd, const weft__bounds* bounds) {
  for (uint32_t n = 0; n < ccd->zone_particle_count && bounds->on; ++n) {
    const uint32_t i = ccd->zone_particle[n];
    weft__impact_zone* zone = &ccd->impact_zone[ccd->zone_parent[i]];
    for (int axis = 0; axis < 3 && !zone->is_pinned; ++axis) {
      const float end =
          (float)((double)ccd->start[axis][i] + zone->mass_displacement[axis] / zone->mass);
      float lower;
      float upper;
      weft__bounds_around(bounds, i, axis, &lower, &upper);
      if (end < lower || end > upper)
        zone->mass_displacement[axis] = zone->mass_earlier[axis] = 0.0;
    }
  }
}

// Velocity becomes 0.
static void roll_back(weft__ccd* ccd, weft__particles* p, uint32_t i) {
  bool is_there = true;
  for (int axis = 0; axis < 3; ++axis) {
    is_there &= p->pos[axis][i] == ccd->start[axis][i];
    p->pos[axis][i] = p->prev[axis][i] = ccd->start[axis][i];
  }
  if (is_there) return;
  ++ccd->rollback_count;
  weft__ccd_mark_moved(ccd, i);
}

// The start of the last substep moves as one as well: particles that colliders have pushed out
// without velocity give none to their zone.
static void apply_zones(weft__ccd* ccd, weft__step_context* step) {
  weft__particles* p = step->particles;
  for (uint32_t n = 0; n < ccd->zone_particle_count; ++n) {
    const uint32_t i = ccd->zone_particle[n];
    const weft__impact_zone* zone = &ccd->impact_zone[ccd->zone_parent[i]];
    if (zone->is_rolled_back) roll_back(ccd, p, i);
    if (zone->is_rolled_back || p->inv_mass[i] == 0.0f) continue;
    float to[3];
    for (int axis = 0; axis < 3; ++axis) {
      to[axis] = (float)((double)ccd->start[axis][i] + zone->mass_displacement[axis] / zone->mass);
    }
    weft__ccd_move(ccd, step, i, to);
    for (int axis = 0; axis < 3; ++axis) {
      p->prev[axis][i] =
          (float)((double)ccd->start[axis][i] + zone->mass_earlier[axis] / zone->mass);
    }
    weft__ccd_mark_moved(ccd, i);
  }
}

void weft__ccd_push_impact_zone(weft__ccd* ccd, const weft__step_context* step, uint32_t particle,
                                float mass, const float by[3]) {
  weft__impact_zone* zone = &ccd->impact_zone[weft__find_root(ccd->zone_parent, particle)];
  if (zone->is_pinned) return;
  const uint32_t substeps = step->substep - ccd->last_ccd_substep;
  const double earlier_share = 1.0 - 1.0 / (double)substeps;
  for (int axis = 0; axis < 3; ++axis) {
    const double push = (double)mass * (double)by[axis];
    zone->mass_displacement[axis] += push;
    zone->mass_earlier[axis] += earlier_share * push;
  }
  ccd->has_pushed_zone = true;
}

void weft__ccd_apply_impact_zones(weft__ccd* ccd, weft__step_context* step) {
  if (!ccd->has_pushed_zone) return;
  ccd->has_pushed_zone = false;
  respect_bounds(ccd, step->bounds);
  apply_zones(ccd, step);
}

void weft__ccd_move_impact_zones(weft__ccd* ccd, weft__step_context* step) {
  join_welded(ccd, step->joints);
  sum_zones(ccd, step->particles);
  respect_bounds(ccd, step->bounds);
  apply_zones(ccd, step);
}

// ---- connected clusters ----

static void group_clusters(weft__ccd* ccd) {
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) ccd->group_parent[c] = c;
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) {
    const weft__cluster_pairs cluster_pairs =
        weft__cluster_pairs_of(&ccd->pairs, &ccd->pair_list[c]);
    for (const weft__cluster_pair* cluster_pair = cluster_pairs.begin;
         cluster_pair < cluster_pairs.end; ++cluster_pair) {
      if (weft__cluster_pair_is_current(ccd, cluster_pair))
        (void)weft__unite(ccd->group_parent, c, cluster_pair->other);
    }
  }
}

static bool has_rolled_back_particle(weft__ccd* ccd, uint32_t cluster) {
  uint32_t count;
  const uint32_t* member = cluster_particles(ccd, cluster, &count);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t zone = ccd->zone_parent[member[k]];
    if (zone != WEFT__NONE && ccd->impact_zone[zone].is_rolled_back) return true;
  }
  return false;
}

// Rolls back all clusters that cluster pairs connect to a rolled-back zone: nothing else is close.
static void join_groups(weft__ccd* ccd, const weft__particles* p) {
  group_clusters(ccd);
  sum_zones(ccd, p);
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) {
    if (!has_rolled_back_particle(ccd, c)) continue;
    const uint32_t root = weft__find_root(ccd->group_parent, c);
    join_cluster(ccd, root);
    ccd->is_rolled_back[first_particle(ccd, root)] = 1;
  }
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) {
    const uint32_t root = weft__find_root(ccd->group_parent, c);
    if (ccd->is_rolled_back[first_particle(ccd, root)]) (void)join_clusters(ccd, root, c);
  }
}

static void join_all(weft__ccd* ccd) {
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) (void)join_clusters(ccd, 0, c);
}

// ---- steps ----

static void join_hits(weft__ccd* ccd, weft__ccd_rollback scope) {
  for (uint32_t n = 0; n < ccd->listed_hits; ++n) {
    join_particles(ccd, ccd->hit[n].particle, 4);
    if (scope != WEFT__ROLL_BACK_NONE) ccd->is_rolled_back[ccd->hit[n].particle[0]] = 1;
  }
}

void weft__ccd_join_impact_zones(weft__ccd* ccd, weft__step_context* step,
                                 weft__ccd_rollback scope) {
  if (scope == WEFT__ROLL_BACK_ALL) {
    join_all(ccd);
    ccd->is_rolled_back[ccd->clusters.member[0]] = 1;
    ccd->is_stale = true;
  } else {
    weft__ccd_list_hits(ccd, step);
    join_hits(ccd, scope);
    if (scope == WEFT__ROLL_BACK_GROUPS) join_groups(ccd, step->particles);
  }
  weft__ccd_move_impact_zones(ccd, step);
}

// True if a cluster went over budget that was not before.
static bool mark_overspent(weft__ccd* ccd) {
  bool is_new = false;
  for (uint32_t n = 0; n < ccd->active_count; ++n) {
    const weft__range clusters = weft__ccd_octet(ccd, ccd->active[n]);
    for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
      if (ccd->zone_state[c] == WEFT__ZONE_OVER_BUDGET ||
          !weft__ccd_is_over_budget(&ccd->pair_list[c])) {
        continue;
      }
      join_cluster(ccd, c);
      ccd->zone_state[c] = WEFT__ZONE_OVER_BUDGET;
      ++ccd->over_budget_count;
      is_new = true;
    }
  }
  return is_new;
}

// Joins the clusters paired with a cluster, if either is over budget.
static bool join_neighbors_of(weft__ccd* ccd, uint32_t cluster, bool is_rolling) {
  bool has_grown = false;
  const weft__cluster_pairs cluster_pairs =
      weft__cluster_pairs_of(&ccd->pairs, &ccd->pair_list[cluster]);
  for (const weft__cluster_pair* cluster_pair = cluster_pairs.begin;
       cluster_pair < cluster_pairs.end; ++cluster_pair) {
    if (!weft__cluster_pair_is_in_zone(ccd, cluster, cluster_pair) ||
        !weft__cluster_pair_is_current(ccd, cluster_pair) ||
        !join_clusters(ccd, cluster, cluster_pair->other)) {
      continue;
    }
    has_grown = true;
    if (is_rolling) ccd->is_rolled_back[first_particle(ccd, cluster)] = 1;
  }
  return has_grown;
}

static bool join_neighbors(weft__ccd* ccd, bool is_rolling) {
  weft__cluster_filter over_budget = {{0}};
  bool has_grown = false;
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) {
    if (ccd->zone_state[c] == WEFT__ZONE_OVER_BUDGET) weft__filter_add(&over_budget, c);
  }
  for (uint32_t octet = 0; octet < weft__ccd_octet_count(ccd); ++octet) {
    const weft__range clusters = weft__ccd_octet(ccd, octet);
    if (!weft__ccd_may_depend(ccd, octet, &over_budget)) continue;
    for (uint32_t c = clusters.begin; c < clusters.end; ++c)
      has_grown |= join_neighbors_of(ccd, c, is_rolling);
  }
  return has_grown;
}

bool weft__ccd_join_overspent(weft__ccd* ccd, weft__step_context* step, bool is_rolling) {
  ccd->has_overspent = true;
  bool has_grown = mark_overspent(ccd);
  if (ccd->lacks_capacity) {
    join_all(ccd);
  } else if (has_grown || ccd->has_new_pairs) {
    has_grown |= join_neighbors(ccd, is_rolling);
  }
  ccd->has_new_pairs = false;
  if (has_grown) weft__ccd_move_impact_zones(ccd, step);
  return has_grown;
}
