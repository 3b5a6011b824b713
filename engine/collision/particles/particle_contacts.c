#include "collision/particles/particle_contacts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grain.h"
#include "collision/particles/colors.h"
#include "collision/particles/neighbors.h"
#include "collision/particles/shape_contact.h"
#include "collision/particles/solve.h"
#include "collision/particles/walls.h"

// pairs that there is room for, unless limits say otherwise, for each body
#define PAIRS_A_BODY 12u
#define MOST_PAIRS (1u << 30)
// fewer bodies than that are not worth a meeting of workers
#define SMALL WEFT__GRAIN(256u, 2u)

// ---- room ----

static void place(weft__particle_contacts* i, weft__arena* arena) {
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
  i->event_ring = weft__arena_take(arena, pairs, sizeof(*i->event_ring));
  i->color = weft__arena_take(arena, pairs, sizeof(*i->color));
  i->contacts = weft__arena_take(arena, pairs + walls, sizeof(*i->contacts));
}

static uint32_t room_for(uint64_t wanted, uint64_t most) {
  uint64_t room = 64;
  while (room < wanted) room *= 2;
  return (uint32_t)(room < most ? room : most);
}

static bool make_room(weft__particle_contacts* particle_contacts, uint32_t body_room,
                      uint32_t pair_room) {
  weft__particle_contacts made = {
      .body_room = body_room, .pair_room = pair_room, .lost = particle_contacts->lost};
  weft__arena arena = {0};
  place(&made, &arena);
  made.bytes = arena.used;
  if (!weft__arena_open(&arena)) return false;
  place(&made, &arena);
  made.block = arena.block;
  free(particle_contacts->block);
  *particle_contacts = made;
  return true;
}

static uint32_t count_bodies(const weft__materials* materials) {
  return materials->shape_count[WEFT_CONTACT_SPHERE] + materials->shape_count[WEFT_CONTACT_BOX] +
         materials->shape_count[WEFT_CONTACT_ELLIPSOID];
}

// Room grows and never shrinks; one body by itself has nobody to meet.
bool weft__particle_contacts_prepare(weft__particle_contacts* particle_contacts,
                                     const weft__contact_setup* setup) {
  const uint32_t count = count_bodies(setup->materials);
  if (count < 2) {
    particle_contacts->on = false;
    particle_contacts->pair_count = particle_contacts->color_count = 0;
    particle_contacts->is_sorted = false;
    return true;
  }
  const uint32_t bodies = count > particle_contacts->body_room
                              ? room_for(count, setup->particles->count)
                              : particle_contacts->body_room;
  const uint64_t usual = (uint64_t)PAIRS_A_BODY * bodies;
  const uint32_t most = setup->limits.max_pairs > 0
                            ? setup->limits.max_pairs
                            : (uint32_t)(usual < MOST_PAIRS ? usual : MOST_PAIRS);
  const bool has_room =
      bodies <= particle_contacts->body_room && most <= particle_contacts->pair_room;
  const uint32_t pairs = most > particle_contacts->pair_room ? most : particle_contacts->pair_room;
  if (!has_room && !make_room(particle_contacts, bodies, pairs)) return false;
  if (most != particle_contacts->max_pairs) particle_contacts->is_sorted = false;
  particle_contacts->max_pairs = most;
  particle_contacts->is_small = count < SMALL;
  particle_contacts->on = true;
  return true;
}

void weft__particle_contacts_destroy(weft__particle_contacts* particle_contacts) {
  free(particle_contacts->block);
  *particle_contacts = (weft__particle_contacts){0};
}

// ---- stages ----

static weft__team team_of(const weft__particle_contacts* particle_contacts,
                          const weft__contact_stage* stage) {
  if (particle_contacts->is_small) return (weft__team){NULL, 0, 1};
  return (weft__team){stage->pool, stage->worker, stage->worker_count};
}

typedef struct sorting {
  weft__particle_contacts* particle_contacts;
  const weft__contact_stage* stage;
} sorting;

// completion, when materials have changed: impulses are forgotten, as bodies have other numbers
static uint32_t sort_bodies(void* context) {
  const sorting* s = context;
  weft__particle_contacts* particle_contacts = s->particle_contacts;
  const weft__contact_stage* stage = s->stage;
  const weft__materials* materials = stage->materials;
  if (particle_contacts->is_sorted && particle_contacts->version == materials->version) return 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < stage->particles->count && count < particle_contacts->body_room; ++i) {
    if (materials->of[i] == 0) continue;
    if (weft__material_of(materials, i)->shape < WEFT_CONTACT_SPHERE) continue;
    particle_contacts->particle[count++] = i;
  }
  particle_contacts->body_count = count;
  particle_contacts->pair_count = 0;
  for (uint32_t i = 0; i <= count; ++i) particle_contacts->list.first[i] = 0;
  memset(particle_contacts->wall_count, 0, particle_contacts->body_room);
  particle_contacts->version = materials->version;
  particle_contacts->is_sorted = true;
  particle_contacts->is_listed = false;
  return 0;
}

// the impulses of a pair in the list before, whoever of the two has found the other then
static weft__impulse last_impulse(const weft__particle_contacts* particle_contacts,
                                  weft__body_pair pair) {
  const weft__pair_list* last = &particle_contacts->last_list;
  for (int k = 0; k < 2; ++k) {
    const uint32_t finder = k == 0 ? pair.a : pair.b;
    const uint32_t other = k == 0 ? pair.b : pair.a;
    for (uint32_t i = last->first[finder]; i < last->first[finder + 1]; ++i) {
      if (last->pairs[i].b != other) continue;
      weft__impulse impulse = particle_contacts->kept[i];
      for (int axis = 0; axis < 3 && k == 1; ++axis) impulse.along[axis] = -impulse.along[axis];
      return impulse;
    }
  }
  return (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
}

static void keep_particle_contacts(const weft__particle_contacts* particle_contacts,
                                   const weft__team* team) {
  const weft__range own = weft__team_share(team, particle_contacts->pair_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__body_contact* contact = &particle_contacts->contacts[particle_contacts->place[i]];
    const bool is_blow = contact->bounce >= 0.0f;
    particle_contacts->kept[i] =
        is_blow ? (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}} : contact->impulse;
  }
}

// completion
static uint32_t swap_lists(void* context) {
  weft__particle_contacts* particle_contacts = context;
  const weft__pair_list last = particle_contacts->list;
  particle_contacts->list = particle_contacts->last_list;
  particle_contacts->last_list = last;
  return 0;
}

static void list_anew(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                      const weft__team* team, weft__near_way way) {
  keep_particle_contacts(particle_contacts, team);
  (void)weft__team_decide(team, swap_lists, particle_contacts);
  weft__near_list(particle_contacts, stage, team, way);
  weft__colors_find(particle_contacts, stage->particles->inv_mass, team);
  const weft__range own = weft__team_share(team, particle_contacts->pair_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__body_pair pair = particle_contacts->list.pairs[i];
    particle_contacts->contacts[particle_contacts->place[i]] =
        (weft__body_contact){.a = pair.a,
                             .b = pair.b,
                             .bounce = -1.0f,
                             .impulse = last_impulse(particle_contacts, pair)};
  }
  weft__team_meet(team);
  // nobody looks at the list before any more
  weft__body_pair* ends = particle_contacts->last_list.pairs;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    ends[particle_contacts->place[i]] = particle_contacts->list.pairs[i];
  }
  if (team->worker == 0) {
    particle_contacts->ends = ends;
    particle_contacts->is_listed = true;
  }
  weft__team_meet(team);
}

// completion: true where a body has left the box that its pairs were listed for
static uint32_t list_is_void(void* context) {
  weft__particle_contacts* particle_contacts = context;
  return atomic_exchange_explicit(&particle_contacts->has_left, 0, memory_order_relaxed) != 0 ||
         !particle_contacts->is_listed;
}

static void list_if_needed(weft__particle_contacts* particle_contacts,
                           const weft__contact_stage* stage, const weft__team* team,
                           weft__near_way check, weft__near_way list) {
  weft__near_check(particle_contacts, stage, team, check);
  if (weft__team_decide(team, list_is_void, particle_contacts))
    list_anew(particle_contacts, stage, team, list);
}

void weft__particle_contacts_find(weft__particle_contacts* particle_contacts,
                                  const weft__contact_stage* stage) {
  const weft__team team = team_of(particle_contacts, stage);
  if (team.pool == NULL && stage->worker != 0) return;
  sorting s = {particle_contacts, stage};
  (void)weft__team_decide(&team, sort_bodies, &s);
  const weft__near_way step = {.substeps = stage->substeps};
  list_if_needed(particle_contacts, stage, &team, step, step);
}

// completion
static uint32_t clear_speeds(void* context) {
  weft__particle_contacts* particle_contacts = context;
  atomic_store_explicit(&particle_contacts->fastest, 0, memory_order_relaxed);
  atomic_store_explicit(&particle_contacts->change, 0, memory_order_relaxed);
  return 0;
}

static weft__touch_scale touch_all(weft__particle_contacts* particle_contacts,
                                   const weft__contact_stage* stage, const weft__team* team) {
  (void)weft__team_decide(team, clear_speeds, particle_contacts);
  const weft__range bodies = weft__team_share(team, particle_contacts->body_count);
  weft__touch_load(particle_contacts, stage, bodies.begin, bodies.end);
  weft__team_meet(team);
  const weft__touch_scale scale = weft__touch_scale_of(particle_contacts, stage);
  const weft__range pairs = weft__team_share(team, particle_contacts->pair_count);
  weft__touch_pairs(particle_contacts, stage, &scale, pairs.begin, pairs.end);
  weft__walls_touch(particle_contacts, stage, &scale, bodies.begin, bodies.end);
  weft__team_meet(team);
  return scale;
}

static void note(const weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                 const weft__body_contact* contact) {
  const bool touches = contact->impulse.normal > 0.0f || contact->gap <= 0.0f;
  if (!(contact->mass > 0.0f) || !touches) return;
  const uint32_t a = stage->schedule->user_of[particle_contacts->particle[contact->a]];
  const uint32_t b = stage->schedule->user_of[particle_contacts->particle[contact->b]];
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

void weft__particle_contacts_solve(weft__particle_contacts* particle_contacts,
                                   const weft__contact_stage* stage) {
  const weft__team team = team_of(particle_contacts, stage);
  if (team.pool == NULL && stage->worker != 0) return;
  const weft__near_way gone = {.has_begun = true};
  const weft__near_way rest = {stage->substeps - stage->substep - 1, true};
  list_if_needed(particle_contacts, stage, &team, gone, rest);
  const weft__touch_scale scale = touch_all(particle_contacts, stage, &team);
  weft__solve_contacts(particle_contacts, stage, &scale, &team);
  const weft__range bodies = weft__team_share(&team, particle_contacts->body_count);
  weft__walls_settle(particle_contacts, stage, bodies.begin, bodies.end);
  if (!stage->log->on) return;
  weft__walls_note(particle_contacts, stage, bodies.begin, bodies.end);
  const weft__range pairs = weft__team_share(&team, particle_contacts->pair_count);
  for (uint32_t i = pairs.begin; i < pairs.end; ++i)
    note(particle_contacts, stage, &particle_contacts->contacts[i]);
}
