/* Zones: what pushing cannot keep apart moves as one for the rest of the substep.
 *
 * The particles of pairs that still meet are joined, pair by pair, to zones, and a zone moves by the mean of what
 * its particles move, weighted by mass: within it nothing moves against anything, so that no pair of it meets, and
 * momentum stays. It may then meet others, and takes them in. Where it holds a pinned particle it moves as that
 * does. One worker does it: few pairs get here. (Harmon, Vouga, Tamstorf, Grinspun 2008, whose zones keep what
 * turns, too) */
#include "exact/near.h"

static uint32_t root_of(const uint32_t* zone_of, uint32_t particle) {
  while (zone_of[particle] != particle) particle = zone_of[particle];
  return particle;
}

static void add(weft__exact* e, uint32_t particle) {
  if (e->zone_of[particle] != WEFT__NONE) return;
  e->zone_of[particle] = particle;
  e->zoned[e->zoned_count++] = particle;
}

// The lower number is the root: paths stay short, as they are shortened whenever all are moved.
static void join(weft__exact* e, const uint32_t particle[4]) {
  for (int k = 0; k < 4; ++k) add(e, particle[k]);
  for (int k = 1; k < 4; ++k) {
    const uint32_t a = root_of(e->zone_of, particle[0]);
    const uint32_t b = root_of(e->zone_of, particle[k]);
    e->zone_of[a > b ? a : b] = a < b ? a : b;
  }
}

static void forget(weft__exact* e) {
  for (uint32_t n = 0; n < e->zoned_count; ++n) e->zone_of[e->zoned[n]] = WEFT__NONE;
  e->zoned_count = 0;
}

static void sum_up(weft__exact* e, const weft__particles* p) {
  for (uint32_t n = 0; n < e->zoned_count; ++n) {
    e->zone[e->zoned[n]] = (weft__exact_zone){0};
    e->zone_of[e->zoned[n]] = root_of(e->zone_of, e->zoned[n]);
  }
  for (uint32_t n = 0; n < e->zoned_count; ++n) {
    const uint32_t i = e->zoned[n];
    weft__exact_zone* zone = &e->zone[e->zone_of[i]];
    if (zone->is_pinned) continue;
    if (p->inv_mass[i] == 0.0f) *zone = (weft__exact_zone){.is_pinned = true};
    const double mass = zone->is_pinned ? 1.0 : 1.0 / (double)p->inv_mass[i];
    zone->mass += mass;
    for (int axis = 0; axis < 3; ++axis) {
      zone->way[axis] += mass * ((double)weft__axis_of(p, axis)[i] - (double)e->start[axis][i]);
    }
  }
}

// A zone that would take one of its particles beyond a wall does not go towards that wall.
static void heed_bounds(weft__exact* e, const weft__bounds* bounds) {
  for (uint32_t n = 0; n < e->zoned_count && bounds->on; ++n) {
    const uint32_t i = e->zoned[n];
    weft__exact_zone* zone = &e->zone[e->zone_of[i]];
    for (int axis = 0; axis < 3 && !zone->is_pinned; ++axis) {
      const float end = (float)((double)e->start[axis][i] + zone->way[axis] / zone->mass);
      float least;
      float most;
      weft__bounds_around(bounds, i, axis, &least, &most);
      if (end < least || end > most) zone->way[axis] = 0.0;
    }
  }
}

static void move_all(weft__exact* e, const weft__contact_stage* stage) {
  for (uint32_t n = 0; n < e->zoned_count; ++n) {
    const uint32_t i = e->zoned[n];
    if (stage->particles->inv_mass[i] == 0.0f) continue;
    const weft__exact_zone* zone = &e->zone[e->zone_of[i]];
    float to[3];
    for (int axis = 0; axis < 3; ++axis) {
      to[axis] = (float)((double)e->start[axis][i] + zone->way[axis] / zone->mass);
    }
    weft__exact_move(e, stage, i, to);
    weft__exact_note_moved(e, i);
  }
}

void weft__exact_join_zones(weft__exact* exact, const weft__contact_stage* stage, bool first) {
  weft__exact_list_hits(exact, stage);
  if (stage->worker == 0) {
    if (first) forget(exact);
    for (uint32_t n = 0; n < exact->kept_hits; ++n) join(exact, exact->hit[n].particle);
    sum_up(exact, stage->particles);
    heed_bounds(exact, stage->bounds);
    move_all(exact, stage);
  }
  weft__worker_pool_meet(stage->pool);
}
