/* The stage in which colliders hold particles.
 *
 * Particles do not look at each other here: they are cut into chunks, and these into blocks of particles that lie
 * together, as the order of the solver has it. A box around all that a chunk's particles do in the substep says
 * which colliders may matter to it, the box of a block which of these. What is left is looked at by lanes, as far as
 * it is plain (kernels/encounter.inl), and else one by one; both come to the same bits. Each worker goes through
 * chunks of its own and then through what others have not got to yet: who takes a chunk shows nowhere. */
#include <math.h>
#include <string.h>

#include "collision/colliders/colliders.h"
#include "collision/colliders/particle_toi.h"

#define BLOCK ((uint32_t)WEFT__ENCOUNTER_PARTICLES)
#define BLOCKS 16u
#define CHUNK (BLOCK * BLOCKS)
// how often a particle is looked at that several colliders hold, or one that has hollows
#define MOST_ROUNDS 6
// colliders that a particle is told to touch at one time
#define MOST_NOTES 16u

// what one worker has in hand
typedef struct hold {
  const weft__colliders* colliders;
  const weft__contact_stage* stage;
  weft__vec3 gravity;  // metres a substep
  float rate;          // 1/seconds: substeps
  uint32_t* of_chunk;  // colliders that may matter, ascending [room for all]
  uint32_t* of_block;
  weft__encounter* encounter;  // of the block in hand
  uint32_t held;               // particles so far
} hold;

// around what some particles do, by however much they reach out
typedef struct block {
  uint32_t begin, end;
  weft__vec3 least, most;
  bool is_empty;  // none of them has a contact
  bool is_even;   // they are all of one kind
} block;

// ---- what may matter ----

static bool are_even(const uint32_t* of, uint32_t count) {
  uint32_t differs = 0;
  for (uint32_t i = 1; i < count; ++i) differs |= of[i] ^ of[0];
  return differs == 0;
}

// as far as a particle of a row reaches out; negative where it has no contact
static float reach_of_row(const weft__materials* materials, uint32_t row) {
  const float* half = materials->rows[row].half_size;
  const float most = half[0] > half[1] ? half[0] : half[1];
  return row == 0 ? -1.0f : most > half[2] ? most : half[2];
}

// as far as one of the particles does
static float reach_of(const weft__materials* materials, uint32_t begin, uint32_t end) {
  float reach = -1.0f;
  uint32_t last = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t row = materials->of[i];
    if (row == last) continue;
    last = row;
    reach = fmaxf(reach, reach_of_row(materials, row));
  }
  return reach;
}

static bool is_long(const weft__material* material) {
  return material->shape == WEFT_CONTACT_BOX;
}

static block block_of(const weft__contact_stage* stage, uint32_t begin, uint32_t end) {
  const weft__materials* materials = stage->materials;
  block b = {.begin = begin, .end = end, .is_even = are_even(materials->of + begin, end - begin)};
  const double reach = (double)(b.is_even ? reach_of_row(materials, materials->of[begin])
                                          : reach_of(materials, begin, end));
  b.is_empty = reach < 0.0;
  if (b.is_empty) return b;
  float least[3];
  float most[3];
  stage->kernels->span(stage->particles, begin, end, least, most);
  // corners of boxes reach out by sqrt(3)
  const double grown = 1.75 * reach;
  b.least =
      (weft__vec3){(double)least[0] - grown, (double)least[1] - grown, (double)least[2] - grown};
  b.most = (weft__vec3){(double)most[0] + grown, (double)most[1] + grown, (double)most[2] + grown};
  return b;
}

static bool overlap(weft__vec3 least, weft__vec3 most, const weft__collider* c) {
  return !(least.x > c->swept_most.x || most.x < c->swept_least.x || least.y > c->swept_most.y ||
           most.y < c->swept_least.y || least.z > c->swept_most.z || most.z < c->swept_least.z);
}

// the box around a box of the world, in a frame
static void look_from(const weft__frame* frame, const block* b, weft__vec3* least,
                      weft__vec3* most) {
  const weft__vec3 half = weft__scaled(0.5, weft__minus(b->most, b->least));
  const weft__vec3 center = weft__frame_in(frame, weft__scaled(0.5, weft__plus(b->least, b->most)));
  const weft__vec3* a = frame->axis;
  const weft__vec3 reach = {fabs(a[0].x) * half.x + fabs(a[0].y) * half.y + fabs(a[0].z) * half.z,
                            fabs(a[1].x) * half.x + fabs(a[1].y) * half.y + fabs(a[1].z) * half.z,
                            fabs(a[2].x) * half.x + fabs(a[2].y) * half.y + fabs(a[2].z) * half.z};
  *least = weft__minus(center, reach);
  *most = weft__plus(center, reach);
}

// Whether something in the block may meet the shape: seen from its frame, which says more than the world's axes
// do, above all of what has no end.
static bool may_meet(const block* b, const weft__collider* c) {
  if (!overlap(b->least, b->most, c)) return false;
  // what lies between the two frames says nothing of an arc
  if (c->slice_count > 1) return true;
  weft__vec3 least[2];
  weft__vec3 most[2];
  look_from(&c->begin, b, &least[0], &most[0]);
  if (c->moves) {
    look_from(&c->end, b, &least[1], &most[1]);
  } else {
    least[1] = least[0];
    most[1] = most[0];
  }
  return !((least[0].x > c->most.x && least[1].x > c->most.x) ||
           (least[0].y > c->most.y && least[1].y > c->most.y) ||
           (least[0].z > c->most.z && least[1].z > c->most.z) ||
           (most[0].x < c->least.x && most[1].x < c->least.x) ||
           (most[0].y < c->least.y && most[1].y < c->least.y) ||
           (most[0].z < c->least.z && most[1].z < c->least.z));
}

// ---- one particle ----

static weft__vec3 at(const float* x, const float* y, const float* z, uint32_t i) {
  return (weft__vec3){(double)x[i], (double)y[i], (double)z[i]};
}

static weft__traveller traveller_of(const weft__contact_stage* stage, uint32_t i) {
  const weft__particles* p = stage->particles;
  const weft__material* material = weft__material_of(stage->materials, i);
  weft__traveller t = {.pos = at(p->pos_x, p->pos_y, p->pos_z, i),
                       .prev = at(p->prev_x, p->prev_y, p->prev_z, i),
                       .material = material};
  t.origin = t.prev;
  t.is_fresh = true;
  const float* half = material->half_size;
  t.least_radius = t.most_radius = (double)half[0];
  if (material->shape != WEFT_CONTACT_BOX && material->shape != WEFT_CONTACT_ELLIPSOID) return t;
  for (int axis = 1; axis < 3; ++axis) {
    if ((double)half[axis] < t.least_radius) t.least_radius = (double)half[axis];
    if ((double)half[axis] > t.most_radius) t.most_radius = (double)half[axis];
  }
  if (is_long(material)) t.most_radius *= 1.75;
  return t;
}

// `change` is in metres a substep
static void note(const hold* h, uint32_t i, uint32_t number, double change, weft__vec3 normal) {
  const weft__contact_stage* stage = h->stage;
  const double mass = 1.0 / (double)stage->particles->inv_mass[i];
  const weft__contact_note made = {
      .particle = stage->schedule->user_of[i],
      .other = number,
      .is_collider = true,
      .substep = stage->substep,
      .impulse = (float)(change * mass * (double)h->rate),
      .normal = {(float)normal.x, (float)normal.y, (float)normal.z},
  };
  weft__contact_log_note(stage->log, stage->worker, &made);
}

// the colliders that have been told of
typedef struct told_list {
  uint32_t numbers[MOST_NOTES];
  uint32_t count;
} told_list;

static void note_once(const hold* h, uint32_t i, uint32_t number, const weft__collider_hit* meeting,
                      told_list* told) {
  for (uint32_t k = 0; k < told->count; ++k) {
    if (told->numbers[k] == number) return;
  }
  if (told->count == MOST_NOTES) return;
  told->numbers[told->count++] = number;
  note(h, i, number, meeting->change, meeting->normal);
}

// the one place where positions and velocities change
static void put_back(const hold* h, const weft__traveller* t, uint32_t i) {
  const weft__particles* p = h->stage->particles;
  p->pos_x[i] = (float)t->pos.x;
  p->pos_y[i] = (float)t->pos.y;
  p->pos_z[i] = (float)t->pos.z;
  p->prev_x[i] = (float)t->prev.x;
  p->prev_y[i] = (float)t->prev.y;
  p->prev_z[i] = (float)t->prev.z;
  // a blow is no force that acts all the substep long: see kernels/bounds.inl
  if (p->velocity_block == NULL || !t->struck) return;
  p->vel_x[i] = (p->pos_x[i] - p->prev_x[i]) * h->rate;
  p->vel_y[i] = (p->pos_y[i] - p->prev_y[i]) * h->rate;
  p->vel_z[i] = (p->pos_z[i] - p->prev_z[i]) * h->rate;
}

// what going through all that is near has met
typedef struct met_list {
  uint32_t count;
  bool has_hollows;            // one of them has
  const weft__collider* thin;  // the last one that has two sides
} met_list;

static met_list go_round(const hold* h, uint32_t i, uint32_t near_count, bool first,
                         weft__traveller* t, told_list* told) {
  met_list met = {0};
  for (uint32_t k = 0; k < near_count; ++k) {
    const weft__collider* c = &h->colliders->list[h->of_block[k]];
    if ((c->turns && weft__is_outside_sweep(c, t)) ||
        !weft__surfaces_meet(&c->surface, &t->material->surface))
      continue;
    weft__collider_hit meeting;
    if (!weft__meet(c, h->gravity, first, t, &meeting)) continue;
    ++met.count;
    met.has_hollows = met.has_hollows || c->shape.kind >= WEFT_SHAPE_HEIGHTFIELD;
    if (c->row->is_thin) met.thin = c;
    if (h->stage->log->on) note_once(h, i, h->of_block[k], &meeting, told);
  }
  return met;
}

// Where it was before the substep, as the collider sees it: there it was on the side that it has to be.
static void put_to_origin(const weft__collider* c, weft__traveller* t) {
  t->pos = weft__frame_out(&c->end, weft__frame_in(&c->begin, t->origin));
  t->prev = t->origin;
  t->struck = true;
}

// What one has done may have put the particle into another: once more, until none has anything to say.
static bool hold_one(const hold* h, uint32_t i, uint32_t near_count) {
  weft__traveller t = traveller_of(h->stage, i);
  told_list told;
  told.count = 0;
  met_list met = go_round(h, i, near_count, true, &t, &told);
  if (met.count == 0) return false;
  // a sphere that stays out of the plane of a contact stays out of all of a convex shape
  const bool is_done = near_count == 1 && !met.has_hollows && t.least_radius == t.most_radius;
  for (int round = 1; round < MOST_ROUNDS && met.count > 0 && !is_done; ++round) {
    met = go_round(h, i, near_count, false, &t, &told);
    // they do not agree: where it now is may be beyond a side that it cannot come back from
    if (round + 1 == MOST_ROUNDS && met.thin != NULL) put_to_origin(met.thin, &t);
  }
  put_back(h, &t, i);
  return true;
}

// ---- a block of them, by lanes ----

// what kernels know a shape as; WEFT__OBSTACLE_OTHER is 0
static const weft__obstacle_kind obstacle_kinds[WEFT__SHAPE_COUNT] = {
    [WEFT_SHAPE_PLANE] = WEFT__OBSTACLE_PLANE,
    [WEFT_SHAPE_HALF_SPACE] = WEFT__OBSTACLE_HALF_SPACE,
    [WEFT_SHAPE_SPHERE] = WEFT__OBSTACLE_SPHERE,
    [WEFT_SHAPE_CAPSULE] = WEFT__OBSTACLE_CAPSULE,
    [WEFT_SHAPE_BOX] = WEFT__OBSTACLE_BOX,
};

// the box around a shape that goes in slices, as the two frames see it
static const weft__vec3 endless[2] = {{-INFINITY, -INFINITY, -INFINITY},
                                      {INFINITY, INFINITY, INFINITY}};

static bool is_ball(const weft__material* material) {
  return material->shape != WEFT_CONTACT_BOX && material->shape != WEFT_CONTACT_ELLIPSOID;
}

// Mask of the lanes [begin, end) of a block of at most 64.
static uint64_t lanes_of(uint32_t begin, uint32_t end) {
  const uint64_t below_end = end < 64 ? (1ull << end) - 1 : UINT64_MAX;
  return below_end & (UINT64_MAX << begin);
}

// between an obstacle and the particles [begin, end) of the block, which are of one kind
static void set_surfaces(weft__obstacle* o, const weft__collider* c, const weft__material* material,
                         uint32_t begin, uint32_t end) {
  const weft__surface between = weft__surface_between(&material->surface, &c->surface);
  if (is_ball(material) && weft__surfaces_meet(&c->surface, &material->surface)) {
    o->meets |= lanes_of(begin, end);
  }
  for (uint32_t lane = begin; lane < end; ++lane) {
    o->restitution[lane] = between.restitution;
    o->static_friction[lane] = between.static_friction;
    o->dynamic_friction[lane] = between.dynamic_friction;
  }
}

// the end of the particles that are of one kind with the first
static uint32_t end_of_run(const hold* h, const block* b, uint32_t begin) {
  if (b->is_even) return b->end;
  const uint32_t* of = h->stage->materials->of;
  uint32_t end = begin + 1;
  while (end < b->end && of[end] == of[begin]) ++end;
  return end;
}

static void set_obstacle(const hold* h, const block* b, const weft__collider* c,
                         weft__obstacle* o) {
  o->kind = c->slice_count > 1 ? WEFT__OBSTACLE_OTHER : obstacle_kinds[c->shape.kind];
  o->radius = c->shape.radius;
  o->half_size = c->shape.half_size;
  o->least = c->slice_count > 1 ? &endless[0] : &c->least;
  o->most = c->slice_count > 1 ? &endless[1] : &c->most;
  o->swept_least = &c->swept_least;
  o->swept_most = &c->swept_most;
  o->begin = &c->begin;
  o->end = &c->end;
  o->moves = c->moves;
  o->turns = c->turns;
  o->meets = 0;
  for (uint32_t i = b->begin; i < b->end;) {
    const uint32_t end = end_of_run(h, b, i);
    set_surfaces(o, c, weft__material_of(h->stage->materials, i), i - b->begin, end - b->begin);
    i = end;
  }
}

// Returns those of the particles that are no balls, a bit each.
static uint64_t set_encounter(const hold* h, const block* b, uint32_t near_count) {
  weft__encounter* e = h->encounter;
  uint64_t others = 0;
  for (uint32_t i = b->begin; i < b->end;) {
    const uint32_t end = end_of_run(h, b, i);
    const weft__material* material = weft__material_of(h->stage->materials, i);
    const float radius = material->half_size[0];
    for (uint32_t lane = i - b->begin; lane < end - b->begin; ++lane) e->radius[lane] = radius;
    if (!is_ball(material)) others |= lanes_of(i - b->begin, end - b->begin);
    i = end;
  }
  e->obstacle_count = near_count;
  for (uint32_t k = 0; k < near_count; ++k) {
    set_obstacle(h, b, &h->colliders->list[h->of_block[k]], &e->obstacles[k]);
  }
  return others;
}

// tells of a particle that one of the obstacles has held
static void note_lane(const hold* h, uint32_t i, uint32_t lane) {
  const weft__encounter* e = h->encounter;
  uint32_t k = 0;
  while ((e->held_by[k] >> lane & 1) == 0) ++k;
  const weft__vec3 normal = {e->normal_x[lane], e->normal_y[lane], e->normal_z[lane]};
  note(h, i, h->of_block[k], e->change[lane], normal);
}

static void hold_lanes(hold* h, const block* b, uint32_t near_count) {
  weft__encounter* e = h->encounter;
  const float* inv_mass = h->stage->particles->inv_mass;
  const uint64_t others = set_encounter(h, b, near_count);
  h->stage->kernels->encounter(h->stage->particles, e, b->begin, b->end);
  uint64_t held = 0;
  for (uint32_t k = 0; k < near_count; ++k) held |= e->held_by[k];
  h->held += (uint32_t)__builtin_popcountll(held);
  // what is told is told in the order of the particles
  uint64_t left = e->rare | others | (h->stage->log->on ? held : 0);
  for (; left != 0; left &= left - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctzll(left);
    const uint32_t i = b->begin + lane;
    if ((held >> lane & 1) != 0) {
      note_lane(h, i, lane);
    } else if (inv_mass[i] > 0.0f && hold_one(h, i, near_count)) {
      ++h->held;
    }
  }
}

// ---- all of them ----

static uint32_t find_near_block(const hold* h, const block* b, uint32_t chunk_count) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < chunk_count; ++k) {
    const uint32_t number = h->of_chunk[k];
    if (may_meet(b, &h->colliders->list[number])) h->of_block[count++] = number;
  }
  return count;
}

static void hold_block(hold* h, const block* b, uint32_t chunk_count) {
  if (b->is_empty) return;
  const uint32_t near_count = find_near_block(h, b, chunk_count);
  if (near_count == 0) return;
  if (near_count <= WEFT__ENCOUNTER_OBSTACLES) {
    hold_lanes(h, b, near_count);
    return;
  }
  const float* inv_mass = h->stage->particles->inv_mass;
  const uint32_t* of = h->stage->materials->of;
  for (uint32_t i = b->begin; i < b->end; ++i) {
    if (of[i] == 0 || !(inv_mass[i] > 0.0f)) continue;
    if (hold_one(h, i, near_count)) ++h->held;
  }
}

static void take_in(block* all, const block* b) {
  if (b->is_empty) return;
  if (all->is_empty) {
    *all = *b;
    return;
  }
  all->least = (weft__vec3){fmin(all->least.x, b->least.x), fmin(all->least.y, b->least.y),
                            fmin(all->least.z, b->least.z)};
  all->most = (weft__vec3){fmax(all->most.x, b->most.x), fmax(all->most.y, b->most.y),
                           fmax(all->most.z, b->most.z)};
}

static uint32_t find_near_chunk(const hold* h, const block* all) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < h->colliders->end; ++n) {
    const weft__collider* c = &h->colliders->list[n];
    if (c->row != NULL && overlap(all->least, all->most, c)) h->of_chunk[count++] = n;
  }
  return count;
}

static void hold_chunk(hold* h, uint32_t chunk) {
  const uint32_t count = h->stage->particles->count;
  const uint32_t begin = chunk * CHUNK;
  block blocks[BLOCKS];
  block all = {.is_empty = true};
  uint32_t block_count = 0;
  for (uint32_t i = begin; i < count && block_count < BLOCKS; i += BLOCK) {
    const uint32_t end = count - i < BLOCK ? count : i + BLOCK;
    blocks[block_count] = block_of(h->stage, i, end);
    take_in(&all, &blocks[block_count++]);
  }
  if (all.is_empty) return;
  const uint32_t near_count = find_near_chunk(h, &all);
  for (uint32_t b = 0; b < block_count && near_count > 0; ++b) {
    hold_block(h, &blocks[b], near_count);
  }
}

static hold hold_of(const weft__colliders* colliders, const weft__contact_stage* stage) {
  const float* g = stage->motion->displacement;
  uint32_t* rooms = colliders->near + 2 * colliders->capacity * stage->worker;
  return (hold){
      .colliders = colliders,
      .stage = stage,
      .gravity = {(double)g[0], (double)g[1], (double)g[2]},
      .rate = 1.0f / stage->h,
      .of_chunk = rooms,
      .of_block = rooms + colliders->capacity,
  };
}

void weft__colliders_hold(weft__colliders* colliders, const weft__contact_stage* stage) {
  // there may be more workers now than when the last collider was added
  const uint32_t workers =
      colliders->worker_count < stage->worker_count ? colliders->worker_count : stage->worker_count;
  if (!stage->materials->on || stage->worker >= workers) return;
  weft__encounter encounter;
  hold h = hold_of(colliders, stage);
  encounter.gravity = h.gravity;
  encounter.rate = h.rate;
  encounter.notes = stage->log->on;
  h.encounter = &encounter;
  const uint32_t count = stage->particles->count;
  const uint32_t chunks = count / CHUNK + (count % CHUNK != 0);
  for (uint32_t k = 0; k < workers; ++k) {
    const uint32_t whose = (stage->worker + k) % workers;
    const weft__range share = weft__share(chunks, whose, workers);
    for (;;) {
      // relaxed: whoever takes a chunk, nobody else does, and nothing else is told by it
      const uint32_t chunk = share.begin + atomic_fetch_add_explicit(&colliders->next_chunk[whose],
                                                                     1, memory_order_relaxed);
      if (chunk >= share.end) break;
      hold_chunk(&h, chunk);
    }
  }
  // relaxed: read when all have met
  atomic_fetch_add_explicit(&colliders->contact_count, h.held, memory_order_relaxed);
}
