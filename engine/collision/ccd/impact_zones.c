/* Impact zones: what pushing cannot keep apart moves as one for the rest of the substep, or is rolled back together.
 *
 * The particles of pairs that still meet are joined, pair by pair, to zones, and a zone moves by the mean of what
 * its particles move, weighted by mass: within it nothing moves against anything, so that no pair of it meets, and
 * momentum stays. It may then meet others, and takes them in. Where it holds a pinned particle it moves as that
 * does. At the end of its substep, what still meets is rolled back with its zone, and so is what it meets then.
 *
 * A block that is over its budget of tests joins, with all blocks near it, to a zone, too: there its pairs need no
 * test. Completion steps do all of it: few pairs get here. (Harmon, Vouga, Tamstorf, Grinspun 2008, whose zones keep
 * what turns, too) */
#include "collision/ccd/candidates.h"

// ---- joining ----

// paths are halved on the way
static uint32_t root_of(uint32_t* parent, uint32_t n) {
  while (parent[n] != n) n = parent[n] = parent[parent[n]];
  return n;
}

// the lower number is the root; false if both have the same one already
static bool unite(uint32_t* parent, uint32_t a, uint32_t b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  parent[a > b ? a : b] = a < b ? a : b;
  return a != b;
}

static void add(weft__ccd* e, uint32_t particle) {
  if (e->zone_of[particle] != WEFT__NONE) return;
  e->zone_of[particle] = particle;
  e->zoned[e->zoned_count++] = particle;
}

static void join_particles(weft__ccd* e, const uint32_t* particle, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    add(e, particle[k]);
    (void)unite(e->zone_of, particle[0], particle[k]);
  }
}

static const uint32_t* members_of(const weft__ccd* e, uint32_t block, uint32_t* count) {
  const weft__range members = weft__cluster_members(&e->blocks, block);
  *count = members.end - members.begin;
  return e->blocks.member + members.begin;
}

static void join_block(weft__ccd* e, uint32_t block) {
  uint32_t count;
  const uint32_t* member = members_of(e, block, &count);
  if (e->zoning[block] == WEFT__ZONED_NOT) e->zoning[block] = WEFT__ZONED_WHOLE;
  join_particles(e, member, count);
}

// returns true if these were not in one zone before
static bool join_blocks(weft__ccd* e, uint32_t a, uint32_t b) {
  uint32_t count;
  const bool is_new = e->zoning[a] == WEFT__ZONED_NOT || e->zoning[b] == WEFT__ZONED_NOT;
  if (e->zoning[a] == WEFT__ZONED_NOT) join_block(e, a);
  if (e->zoning[b] == WEFT__ZONED_NOT) join_block(e, b);
  return unite(e->zone_of, *members_of(e, a, &count), *members_of(e, b, &count)) || is_new;
}

void weft__ccd_clear_impact_zones(weft__ccd* e) {
  for (uint32_t n = 0; n < e->zoned_count; ++n) {
    e->zone_of[e->zoned[n]] = WEFT__NONE;
    e->is_rolled_back[e->zoned[n]] = 0;
  }
  e->zoned_count = 0;
  e->has_overspent = false;
}

// ---- moving ----

static void sum_up(weft__ccd* e, const weft__particles* p) {
  for (uint32_t n = 0; n < e->zoned_count; ++n) {
    e->zone[e->zoned[n]] = (weft__impact_zone){0};
    e->zone_of[e->zoned[n]] = root_of(e->zone_of, e->zoned[n]);
  }
  for (uint32_t n = 0; n < e->zoned_count; ++n) {
    const uint32_t i = e->zoned[n];
    weft__impact_zone* zone = &e->zone[e->zone_of[i]];
    if (e->is_rolled_back[i]) zone->is_rolled_back = true;
    if (zone->is_pinned) continue;
    if (p->inv_mass[i] == 0.0f) {
      *zone = (weft__impact_zone){.is_pinned = true, .is_rolled_back = zone->is_rolled_back};
    }
    const double mass = zone->is_pinned ? 1.0 : 1.0 / (double)p->inv_mass[i];
    zone->mass += mass;
    for (int axis = 0; axis < 3; ++axis) {
      zone->way[axis] += mass * ((double)weft__axis_of(p, axis)[i] - (double)e->start[axis][i]);
    }
  }
}

// A zone that would take one of its particles beyond a wall does not go towards that wall.
static void heed_bounds(weft__ccd* e, const weft__bounds* bounds) {
  for (uint32_t n = 0; n < e->zoned_count && bounds->on; ++n) {
    const uint32_t i = e->zoned[n];
    weft__impact_zone* zone = &e->zone[e->zone_of[i]];
    for (int axis = 0; axis < 3 && !zone->is_pinned; ++axis) {
      const float end = (float)((double)e->start[axis][i] + zone->way[axis] / zone->mass);
      float least;
      float most;
      weft__bounds_around(bounds, i, axis, &least, &most);
      if (end < least || end > most) zone->way[axis] = 0.0;
    }
  }
}

// velocity is lost
static void roll_back(weft__ccd* e, const weft__particles* p, uint32_t i) {
  const bool is_there = p->pos_x[i] == e->start[0][i] && p->pos_y[i] == e->start[1][i] &&
                        p->pos_z[i] == e->start[2][i];
  p->pos_x[i] = p->prev_x[i] = e->start[0][i];
  p->pos_y[i] = p->prev_y[i] = e->start[1][i];
  p->pos_z[i] = p->prev_z[i] = e->start[2][i];
  if (is_there) return;
  ++e->stop_count;
  weft__ccd_note_moved(e, i);
}

static void move_all(weft__ccd* e, const weft__contact_stage* stage) {
  for (uint32_t n = 0; n < e->zoned_count; ++n) {
    const uint32_t i = e->zoned[n];
    const weft__impact_zone* zone = &e->zone[e->zone_of[i]];
    if (zone->is_rolled_back) roll_back(e, stage->particles, i);
    if (zone->is_rolled_back || stage->particles->inv_mass[i] == 0.0f) continue;
    float to[3];
    for (int axis = 0; axis < 3; ++axis) {
      to[axis] = (float)((double)e->start[axis][i] + zone->way[axis] / zone->mass);
    }
    weft__ccd_move(e, stage, i, to);
    weft__ccd_note_moved(e, i);
  }
}

static void move_zones(weft__ccd* e, const weft__contact_stage* stage) {
  sum_up(e, stage->particles);
  heed_bounds(e, stage->bounds);
  move_all(e, stage);
}

// ---- what is connected ----

static void group_blocks(weft__ccd* e) {
  for (uint32_t b = 0; b < e->blocks.block_count; ++b) e->group[b] = b;
  for (uint32_t b = 0; b < e->blocks.block_count; ++b) {
    const weft__cluster_pairs runs = weft__cluster_pairs_of(&e->pairs, &e->chain[b]);
    for (const weft__cluster_pair* run = runs.begin; run < runs.end; ++run) {
      if (weft__cluster_pair_counts(e, run)) (void)unite(e->group, b, run->other);
    }
  }
}

static bool holds_rolled_back(weft__ccd* e, uint32_t block) {
  uint32_t count;
  const uint32_t* member = members_of(e, block, &count);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t zone = e->zone_of[member[k]];
    if (zone != WEFT__NONE && e->zone[zone].is_rolled_back) return true;
  }
  return false;
}

// Joins all blocks that runs connect with a zone that is rolled back to it: nothing else is near them.
static void join_groups(weft__ccd* e, const weft__particles* p) {
  group_blocks(e);
  sum_up(e, p);
  for (uint32_t b = 0; b < e->blocks.block_count; ++b) {
    if (!holds_rolled_back(e, b)) continue;
    const uint32_t root = root_of(e->group, b);
    join_block(e, root);
    e->is_rolled_back[e->blocks.member[weft__cluster_members(&e->blocks, root).begin]] = 1;
  }
  for (uint32_t b = 0; b < e->blocks.block_count; ++b) {
    uint32_t count;
    const uint32_t root = root_of(e->group, b);
    if (e->is_rolled_back[*members_of(e, root, &count)]) (void)join_blocks(e, root, b);
  }
}

static void join_all(weft__ccd* e) {
  for (uint32_t b = 0; b < e->blocks.block_count; ++b) (void)join_blocks(e, 0, b);
}

// ---- all of it ----

typedef struct joining {
  weft__ccd* ccd;
  const weft__contact_stage* stage;
  weft__ccd_rollback rolling;
} joining;

// completion
static uint32_t join_hits(void* context) {
  const joining* j = context;
  weft__ccd* e = j->ccd;
  for (uint32_t n = 0; n < e->kept_hits; ++n) {
    join_particles(e, e->hit[n].particle, 4);
    if (j->rolling != WEFT__ROLL_NONE) e->is_rolled_back[e->hit[n].particle[0]] = 1;
  }
  if (j->rolling == WEFT__ROLL_GROUPS) join_groups(e, j->stage->particles);
  move_zones(e, j->stage);
  return 0;
}

// completion
static uint32_t roll_all(void* context) {
  const joining* j = context;
  weft__ccd* e = j->ccd;
  join_all(e);
  e->is_rolled_back[e->blocks.member[0]] = 1;
  move_zones(e, j->stage);
  atomic_store_explicit(&e->is_stale, true, memory_order_relaxed);
  return 0;
}

void weft__ccd_join_impact_zones(weft__ccd* ccd, const weft__contact_stage* stage,
                                 weft__ccd_rollback rolling) {
  if (rolling != WEFT__ROLL_ALL) weft__ccd_list_hits(ccd, stage);
  joining j = {ccd, stage, rolling};
  (void)weft__worker_pool_decide(stage->pool, rolling == WEFT__ROLL_ALL ? roll_all : join_hits, &j);
}

// returns true if some block was not known to be
static bool note_overspent(weft__ccd* e) {
  bool is_new = false;
  for (uint32_t b = 0; b < e->blocks.block_count; ++b) {
    if (e->zoning[b] == WEFT__ZONED_OVER_BUDGET || !weft__ccd_is_over_budget(&e->chain[b])) {
      continue;
    }
    join_block(e, b);
    e->zoning[b] = WEFT__ZONED_OVER_BUDGET;
    ++e->overspent_count;
    is_new = true;
  }
  return is_new;
}

static bool join_near(weft__ccd* e, bool is_rolling) {
  bool has_grown = false;
  for (uint32_t b = 0; b < e->blocks.block_count; ++b) {
    const weft__cluster_pairs runs = weft__cluster_pairs_of(&e->pairs, &e->chain[b]);
    for (const weft__cluster_pair* run = runs.begin; run < runs.end; ++run) {
      if (!weft__cluster_pair_counts(e, run) || !weft__cluster_pair_is_zoned(e, b, run)) continue;
      if (!join_blocks(e, b, run->other)) continue;
      has_grown = true;
      if (is_rolling) {
        e->is_rolled_back[e->blocks.member[weft__cluster_members(&e->blocks, b).begin]] = 1;
      }
    }
  }
  return has_grown;
}

// completion: true if zones grew
static uint32_t join_overspent(void* context) {
  const joining* j = context;
  weft__ccd* e = j->ccd;
  e->has_overspent = true;
  bool has_grown = note_overspent(e);
  if (e->is_short) {
    join_all(e);
  } else if (join_near(e, j->rolling != WEFT__ROLL_NONE)) {
    has_grown = true;
  }
  if (has_grown) move_zones(e, j->stage);
  return has_grown;
}

bool weft__ccd_join_overspent(weft__ccd* ccd, const weft__contact_stage* stage, bool is_rolling) {
  joining j = {ccd, stage, is_rolling ? WEFT__ROLL_ZONES : WEFT__ROLL_NONE};
  return weft__worker_pool_decide(stage->pool, join_overspent, &j);
}
