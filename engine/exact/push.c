/* Pushing apart what meets. Each hit wants what is between its two sides, along the normal at the time when they
 * meet, to be no less at the end than its goal: it was at the start, or a bit more than the gap. The hits are listed by all workers, and then solved by one of
 * them, one after the other, some times over: of those that were on their way through something there are few.
 *
 * As weights of a hit add up to 0, and each particle moves by its weight and its inverse mass, no hit changes the
 * momentum of all. (Mueller, Heidelberger, Hennix, Ratcliff 2007, "Position based dynamics") */
#include <math.h>

#include "exact/near.h"

#define SWEEPS 6

// ---- listing ----

typedef struct listing {
  weft__exact* exact;
  const weft__contact_stage* stage;
} listing;

static weft__exact_hit hit_of(const listing* l, const weft__exact_case* c,
                              const weft__nearness* near, const weft__nearness* there) {
  const weft__materials* materials = l->stage->materials;
  const weft__surface surface =
      weft__surface_between(&weft__exact_first_material(c, materials)->surface,
                            &weft__exact_second_material(c, materials)->surface);
  const float apart = (float)near->distance;
  // a bit more than the gap, so that who lies on something is not found to meet it in each substep
  const float wanted = c->gap + 0.5f * c->margin;
  weft__exact_hit hit = {
      .normal = {(float)there->normal.x, (float)there->normal.y, (float)there->normal.z},
      .goal = apart < wanted ? apart : wanted,
      .static_friction = surface.static_friction,
      .dynamic_friction = surface.dynamic_friction,
  };
  for (int k = 0; k < 4; ++k) {
    hit.particle[k] = c->particle[k];
    hit.weight[k] = (float)there->weight[k];
  }
  return hit;
}

static bool list_pair(const listing* l, const weft__exact_pair* pair, float size,
                      weft__exact_hit* hit) {
  const weft__exact_case c = weft__exact_case_of(l->exact, l->stage, pair, size);
  const weft__nearness near = weft__meeting_nearness(&c.meeting, 0.0);
  const double bound = weft__meeting_bound(&c.meeting, near.normal, 0.0);
  double time;
  weft__nearness there;
  if (!weft__exact_case_meets(&c, &near, bound, &time, &there)) return false;
  *hit = hit_of(l, &c, &near, &there);
  return true;
}

static void list_chain(const listing* l, uint32_t block) {
  weft__exact* exact = l->exact;
  const weft__exact_chain* chain = &exact->chain[block];
  uint32_t n = chain->first_hit;
  const uint32_t end = n + chain->hit_count;
  const weft__exact_runs runs = weft__exact_runs_of(&exact->pairs, chain);
  for (const weft__exact_run* run = runs.begin; run < runs.end && n < end; ++run) {
    if (run->key > WEFT__PAIR_MEETS) continue;
    const float size = fminf(exact->blocks.size[block], exact->blocks.size[run->other]);
    for (uint32_t p = 0; p < run->pair_count; ++p) {
      const weft__exact_pair* pair = &exact->pairs.pair[run->first_pair + p];
      if (pair->key > WEFT__PAIR_MEETS || n >= exact->hit_capacity) continue;
      if (list_pair(l, pair, size, &exact->hit[n])) ++n;
    }
  }
}

static void place_hits(weft__exact* exact) {
  uint64_t count = 0;
  for (uint32_t b = 0; b < exact->blocks.block_count; ++b) {
    exact->chain[b].first_hit = (uint32_t)(count < UINT32_MAX / 2 ? count : UINT32_MAX / 2);
    count += exact->chain[b].hit_count;
  }
  exact->kept_hits = count < exact->hit_capacity ? (uint32_t)count : exact->hit_capacity;
}

// ---- solving ----

typedef struct solving {
  weft__exact* exact;
  const weft__contact_stage* stage;
} solving;

// no hit moves what is in an impact zone
static float inverse_mass_at(const solving* s, uint32_t particle) {
  if (s->exact->zone_of[particle] != WEFT__NONE) return 0.0f;
  return s->stage->particles->inv_mass[particle];
}

static float inverse_mass_of(const solving* s, const weft__exact_hit* hit) {
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) {
    sum += hit->weight[k] * hit->weight[k] * inverse_mass_at(s, hit->particle[k]);
  }
  return sum;
}

static float clamp(float at, float least, float most) {
  return at < least ? least : at > most ? most : at;
}

// moves the two sides apart, by so much in all
static void move(const solving* s, const weft__exact_hit* hit, const float by[3],
                 float inverse_mass) {
  const weft__particles* p = s->stage->particles;
  const weft__bounds* bounds = s->stage->bounds;
  for (int k = 0; k < 4; ++k) {
    const uint32_t i = hit->particle[k];
    const float share = hit->weight[k] * inverse_mass_at(s, i) / inverse_mass;
    if (share == 0.0f) continue;
    float to[3];
    for (int axis = 0; axis < 3; ++axis) {
      to[axis] = weft__axis_of(p, axis)[i] + share * by[axis];
      if (!bounds->on) continue;
      // what lies on the floor does not give way, in the end
      float least;
      float most;
      weft__bounds_around(bounds, i, axis, &least, &most);
      to[axis] = clamp(to[axis], least, most);
    }
    weft__exact_move(s->exact, s->stage, i, to);
  }
}

// what is between the nearest points, at the end or at the start; in double, as places may be far from 0
static void between(const weft__exact_hit* hit, const float* x, const float* y, const float* z,
                    double apart[3]) {
  const float* axes[3] = {x, y, z};
  for (int axis = 0; axis < 3; ++axis) {
    const double origin = (double)axes[axis][hit->particle[0]];
    apart[axis] = 0.0;
    for (int k = 1; k < 4; ++k) {
      apart[axis] += (double)hit->weight[k] * ((double)axes[axis][hit->particle[k]] - origin);
    }
  }
}

static void push(const solving* s, weft__exact_hit* hit) {
  const float inverse_mass = inverse_mass_of(s, hit);
  if (!(inverse_mass > 0.0f)) return;
  double apart[3];
  const weft__particles* p = s->stage->particles;
  between(hit, p->pos_x, p->pos_y, p->pos_z, apart);
  const double along = apart[0] * (double)hit->normal[0] + apart[1] * (double)hit->normal[1] +
                       apart[2] * (double)hit->normal[2];
  const float missing = hit->goal - (float)along;
  if (!(missing > 0.0f)) return;
  hit->pushed += missing;
  move(s, hit,
       (const float[3]){missing * hit->normal[0], missing * hit->normal[1],
                        missing * hit->normal[2]},
       inverse_mass);
}

// Coulomb's friction, of all that was pushed, against what slid since the substep began
static void rub(const solving* s, const weft__exact_hit* hit) {
  if (!(hit->static_friction > 0.0f && hit->pushed > 0.0f)) return;
  double slid[3];
  double start[3];
  const weft__particles* p = s->stage->particles;
  between(hit, p->pos_x, p->pos_y, p->pos_z, slid);
  between(hit, s->exact->start[0], s->exact->start[1], s->exact->start[2], start);
  double along = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    slid[axis] -= start[axis];
    along += slid[axis] * (double)hit->normal[axis];
  }
  double length = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    slid[axis] -= along * (double)hit->normal[axis];
    length += slid[axis] * slid[axis];
  }
  length = sqrt(length);
  const float inverse_mass = inverse_mass_of(s, hit);
  if (!(length > 0.0 && inverse_mass > 0.0f)) return;
  const double held = (double)hit->pushed * (double)hit->static_friction;
  const double taken = (double)hit->pushed * (double)hit->dynamic_friction;
  const double share = length <= held ? 1.0 : taken < length ? taken / length : 1.0;
  move(s, hit,
       (const float[3]){-(float)(share * slid[0]), -(float)(share * slid[1]),
                        -(float)(share * slid[2])},
       inverse_mass);
}

void weft__exact_list_hits(weft__exact* exact, const weft__contact_stage* stage) {
  if (stage->worker == 0) place_hits(exact);
  weft__worker_pool_meet(stage->pool);
  const listing l = {exact, stage};
  for (uint32_t b = weft__exact_first_block(stage); b < exact->blocks.block_count;
       b = weft__exact_next_block(stage, b)) {
    if (exact->chain[b].hit_count > 0) list_chain(&l, b);
  }
  weft__worker_pool_meet(stage->pool);
}

void weft__exact_push(weft__exact* exact, const weft__contact_stage* stage) {
  weft__exact_list_hits(exact, stage);
  if (stage->worker == 0) {
    const solving s = {exact, stage};
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
      for (uint32_t n = 0; n < exact->kept_hits; ++n) push(&s, &exact->hit[n]);
    }
    for (uint32_t n = 0; n < exact->kept_hits; ++n) rub(&s, &exact->hit[n]);
    for (uint32_t n = 0; n < exact->kept_hits; ++n) {
      for (int k = 0; k < 4; ++k) weft__exact_note_moved(exact, exact->hit[n].particle[k]);
    }
  }
  weft__worker_pool_meet(stage->pool);
}
