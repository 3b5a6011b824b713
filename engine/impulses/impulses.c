#include "impulses/impulses.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grain.h"
#include "impulses/colors.h"
#include "impulses/near.h"
#include "impulses/solve.h"
#include "impulses/touch.h"
#include "impulses/walls.h"

// pairs that there is room for, unless limits say otherwise, for each body
#define PAIRS_A_BODY 12u
#define MOST_PAIRS (1u << 30)
// fewer bodies than that are not worth a meeting of workers
#define SMALL WEFT__GRAIN(256u, 2u)

// ---- room ----

static void place(weft__impulses* i, weft__arena* arena) {
  const size_t bodies = i->body_room;
  const size_t pairs = i->pair_room;
  const size_t walls = bodies * WEFT__BODY_WALLS;
  i->particle = weft__arena_take(arena, bodies, sizeof(*i->particle));
  i->boxes = weft__arena_take(arena, bodies, sizeof(*i->boxes));
  i->bodies = weft__arena_take(arena, bodies + walls, sizeof(*i->bodies));
  i->start = weft__arena_take(arena, bodies, sizeof(*i->start));
  i->push = weft__arena_take(arena, bodies, sizeof(*i->push));
  i->color_mask = weft__arena_take(arena, bodies, sizeof(*i->color_mask));
  i->least = weft__arena_take(arena, bodies, sizeof(*i->least));
  i->stirred = weft__arena_take(arena, bodies, sizeof(*i->stirred));
  i->wall_count = weft__arena_take(arena, bodies, sizeof(*i->wall_count));
  i->wall_key = weft__arena_take(arena, walls, sizeof(*i->wall_key));
  i->order = weft__arena_take(arena, bodies, sizeof(*i->order));
  i->entries = weft__arena_take(arena, bodies, sizeof(*i->entries));
  i->cells = (weft__near_cell*)i->entries;
  for (int k = 0; k < 2; ++k) {
    weft__pair_list* list = k == 0 ? &i->list : &i->last_list;
    list->pairs = weft__arena_take(arena, pairs, sizeof(*list->pairs));
    list->first = weft__arena_take(arena, bodies + 1, sizeof(*list->first));
  }
  i->kept = weft__arena_take(arena, pairs, sizeof(*i->kept));
  i->place = weft__arena_take(arena, pairs, sizeof(*i->place));
  i->waiting = weft__arena_take(arena, pairs, sizeof(*i->waiting));
  i->color = weft__arena_take(arena, pairs, sizeof(*i->color));
  i->contacts = weft__arena_take(arena, pairs + walls, sizeof(*i->contacts));
}

static uint32_t room_for(uint64_t wanted, uint64_t most) {
  uint64_t room = 64;
  while (room < wanted) room *= 2;
  return (uint32_t)(room < most ? room : most);
}

static bool make_room(weft__impulses* impulses, uint32_t body_room, uint32_t pair_room) {
  weft__impulses made = {.body_room = body_room, .pair_room = pair_room, .lost = impulses->lost};
  weft__arena arena = {0};
  place(&made, &arena);
  made.bytes = arena.used;
  if (!weft__arena_open(&arena)) return false;
  place(&made, &arena);
  made.block = arena.block;
  free(impulses->block);
  *impulses = made;
  return true;
}

static uint32_t count_bodies(const weft__materials* materials) {
  return materials->shape_count[WEFT_CONTACT_SPHERE] + materials->shape_count[WEFT_CONTACT_BOX] +
         materials->shape_count[WEFT_CONTACT_ELLIPSOID];
}

// Room grows and never shrinks; one body by itself has nobody to meet.
bool weft__impulses_prepare(weft__impulses* impulses, const weft__contact_setup* setup) {
  const uint32_t count = count_bodies(setup->materials);
  if (count < 2) {
    impulses->on = false;
    impulses->pair_count = impulses->color_count = 0;
    impulses->is_sorted = false;
    return true;
  }
  const uint32_t bodies =
      count > impulses->body_room ? room_for(count, setup->particles->count) : impulses->body_room;
  const uint64_t usual = (uint64_t)PAIRS_A_BODY * bodies;
  const uint32_t most = setup->limits.max_pairs > 0
                            ? setup->limits.max_pairs
                            : (uint32_t)(usual < MOST_PAIRS ? usual : MOST_PAIRS);
  const bool has_room = bodies <= impulses->body_room && most <= impulses->pair_room;
  const uint32_t pairs = most > impulses->pair_room ? most : impulses->pair_room;
  if (!has_room && !make_room(impulses, bodies, pairs)) return false;
  if (most != impulses->max_pairs) impulses->is_sorted = false;
  impulses->max_pairs = most;
  impulses->is_small = count < SMALL;
  impulses->on = true;
  return true;
}

void weft__impulses_destroy(weft__impulses* impulses) {
  free(impulses->block);
  *impulses = (weft__impulses){0};
}

// ---- stages ----

static weft__team team_of(const weft__impulses* impulses, const weft__contact_stage* stage) {
  if (impulses->is_small) return (weft__team){NULL, 0, 1};
  return (weft__team){stage->pool, stage->worker, stage->worker_count};
}

typedef struct sorting {
  weft__impulses* impulses;
  const weft__contact_stage* stage;
} sorting;

// completion, when materials have changed: impulses are forgotten, as bodies have other numbers
static uint32_t sort_bodies(void* context) {
  const sorting* s = context;
  weft__impulses* impulses = s->impulses;
  const weft__contact_stage* stage = s->stage;
  const weft__materials* materials = stage->materials;
  if (impulses->is_sorted && impulses->version == materials->version) return 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < stage->particles->count && count < impulses->body_room; ++i) {
    if (materials->of[i] == 0) continue;
    if (weft__material_of(materials, i)->shape < WEFT_CONTACT_SPHERE) continue;
    impulses->particle[count++] = i;
  }
  impulses->body_count = count;
  impulses->pair_count = 0;
  for (uint32_t i = 0; i <= count; ++i) impulses->list.first[i] = 0;
  memset(impulses->wall_count, 0, impulses->body_room);
  impulses->version = materials->version;
  impulses->is_sorted = true;
  impulses->is_listed = false;
  return 0;
}

// the impulses of a pair in the list before, whoever of the two has found the other then
static weft__impulse last_impulse(const weft__impulses* impulses, weft__body_pair pair) {
  const weft__pair_list* last = &impulses->last_list;
  for (int k = 0; k < 2; ++k) {
    const uint32_t finder = k == 0 ? pair.a : pair.b;
    const uint32_t other = k == 0 ? pair.b : pair.a;
    for (uint32_t i = last->first[finder]; i < last->first[finder + 1]; ++i) {
      if (last->pairs[i].b != other) continue;
      weft__impulse impulse = impulses->kept[i];
      for (int axis = 0; axis < 3 && k == 1; ++axis) impulse.along[axis] = -impulse.along[axis];
      return impulse;
    }
  }
  return (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
}

static void keep_impulses(const weft__impulses* impulses, const weft__team* team) {
  const weft__range own = weft__team_share(team, impulses->pair_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__body_contact* contact = &impulses->contacts[impulses->place[i]];
    const bool is_blow = contact->bounce >= 0.0f;
    impulses->kept[i] = is_blow ? (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}} : contact->impulse;
  }
}

// completion
static uint32_t swap_lists(void* context) {
  weft__impulses* impulses = context;
  const weft__pair_list last = impulses->list;
  impulses->list = impulses->last_list;
  impulses->last_list = last;
  return 0;
}

static void list_anew(weft__impulses* impulses, const weft__contact_stage* stage,
                      const weft__team* team, weft__near_way way) {
  keep_impulses(impulses, team);
  (void)weft__team_decide(team, swap_lists, impulses);
  weft__near_list(impulses, stage, team, way);
  weft__colors_find(impulses, stage->particles->inv_mass, team);
  const weft__range own = weft__team_share(team, impulses->pair_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__body_pair pair = impulses->list.pairs[i];
    impulses->contacts[impulses->place[i]] = (weft__body_contact){
        .a = pair.a, .b = pair.b, .bounce = -1.0f, .impulse = last_impulse(impulses, pair)};
  }
  weft__team_meet(team);
  // nobody looks at the list before any more
  weft__body_pair* ends = impulses->last_list.pairs;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    ends[impulses->place[i]] = impulses->list.pairs[i];
  }
  if (team->worker == 0) {
    impulses->ends = ends;
    impulses->is_listed = true;
  }
  weft__team_meet(team);
}

// completion: true where a body has left the box that its pairs were listed for
static uint32_t list_is_void(void* context) {
  weft__impulses* impulses = context;
  return atomic_exchange_explicit(&impulses->has_left, 0, memory_order_relaxed) != 0 ||
         !impulses->is_listed;
}

static void list_if_needed(weft__impulses* impulses, const weft__contact_stage* stage,
                           const weft__team* team, weft__near_way check, weft__near_way list) {
  weft__near_check(impulses, stage, team, check);
  if (weft__team_decide(team, list_is_void, impulses)) list_anew(impulses, stage, team, list);
}

void weft__impulses_find(weft__impulses* impulses, const weft__contact_stage* stage) {
  const weft__team team = team_of(impulses, stage);
  if (team.pool == NULL && stage->worker != 0) return;
  sorting s = {impulses, stage};
  (void)weft__team_decide(&team, sort_bodies, &s);
  const weft__near_way step = {.substeps = stage->substeps};
  list_if_needed(impulses, stage, &team, step, step);
}

// completion
static uint32_t clear_speeds(void* context) {
  weft__impulses* impulses = context;
  atomic_store_explicit(&impulses->fastest, 0, memory_order_relaxed);
  atomic_store_explicit(&impulses->change, 0, memory_order_relaxed);
  return 0;
}

static weft__touch_scale touch_all(weft__impulses* impulses, const weft__contact_stage* stage,
                                   const weft__team* team) {
  (void)weft__team_decide(team, clear_speeds, impulses);
  const weft__range bodies = weft__team_share(team, impulses->body_count);
  weft__touch_load(impulses, stage, bodies.begin, bodies.end);
  weft__team_meet(team);
  const weft__touch_scale scale = weft__touch_scale_of(impulses, stage);
  const weft__range pairs = weft__team_share(team, impulses->pair_count);
  weft__touch_pairs(impulses, stage, &scale, pairs.begin, pairs.end);
  weft__walls_touch(impulses, stage, &scale, bodies.begin, bodies.end);
  weft__team_meet(team);
  return scale;
}

static void note(const weft__impulses* impulses, const weft__contact_stage* stage,
                 const weft__body_contact* contact) {
  const bool touches = contact->impulse.normal > 0.0f || contact->gap <= 0.0f;
  if (!(contact->mass > 0.0f) || !touches) return;
  const uint32_t a = stage->schedule->user_of[impulses->particle[contact->a]];
  const uint32_t b = stage->schedule->user_of[impulses->particle[contact->b]];
  // the normal goes to the particle, which is the lower of the two
  const float sign = a < b ? -1.0f : 1.0f;
  const weft__contact_note told = {
      .particle = a < b ? a : b,
      .other = a < b ? b : a,
      .substep = stage->substep,
      .impulse = contact->impulse.normal,
      .normal = {sign * contact->normal[0], sign * contact->normal[1], sign * contact->normal[2]},
  };
  weft__contact_log_note(stage->log, stage->worker, &told);
}

void weft__impulses_hold(weft__impulses* impulses, const weft__contact_stage* stage) {
  const weft__team team = team_of(impulses, stage);
  if (team.pool == NULL && stage->worker != 0) return;
  const weft__near_way gone = {.has_begun = true};
  const weft__near_way rest = {stage->substeps - stage->substep - 1, true};
  list_if_needed(impulses, stage, &team, gone, rest);
  const weft__touch_scale scale = touch_all(impulses, stage, &team);
  weft__solve_contacts(impulses, stage, &scale, &team);
  const weft__range bodies = weft__team_share(&team, impulses->body_count);
  weft__walls_settle(impulses, stage, bodies.begin, bodies.end);
  if (!stage->log->on) return;
  weft__walls_note(impulses, stage, bodies.begin, bodies.end);
  const weft__range pairs = weft__team_share(&team, impulses->pair_count);
  for (uint32_t i = pairs.begin; i < pairs.end; ++i) note(impulses, stage, &impulses->contacts[i]);
}
