#include "modules/spheres/particle_contacts.h"

#include <string.h>

#include "base/grain_size.h"
#include "base/memory.h"
#include "collision/colliders/colliders.h"
#include "modules/spheres/broad_phase.h"
#include "modules/spheres/colors.h"
#include "modules/spheres/shape_contact.h"
#include "modules/spheres/solve.h"
#include "modules/spheres/walls.h"

// pairs for each body, by default
#define PAIRS_A_BODY 12u
#define MAX_PAIRS (1u << 30)
#define BODY_GRAIN WEFT__GRAIN(256u, 2u)
#define PAIR_GRAIN WEFT__GRAIN(256u, 2u)
#define NARROW_GRAIN WEFT__GRAIN(64u, 2u)

_Static_assert(sizeof(weft__grid_cell) <= sizeof(weft__grid_entry) &&
                   sizeof(weft__body_path) <= sizeof(weft__grid_entry),
               "cells and paths are in the memory of the entries");

#define BODIES(name, kind) \
  WEFT__LIST(weft__particle_contacts, name, body_count, body_capacity, kind)
#define PAIRS(name, kind) WEFT__LIST(weft__particle_contacts, name, pair_count, pair_capacity, kind)

static const weft__column columns[] = {
    WEFT__MEMBER(weft__particle_contacts, on),
    WEFT__MEMBER(weft__particle_contacts, pair_count),
    WEFT__MEMBER(weft__particle_contacts, color_count),
    WEFT__MEMBER(weft__particle_contacts, lost),
    WEFT__MEMBER(weft__particle_contacts, max_pairs),
    WEFT__MEMBER(weft__particle_contacts, version),
    WEFT__MEMBER(weft__particle_contacts, has_bodies),
    WEFT__MEMBER(weft__particle_contacts, is_listed),
    WEFT__MEMBER(weft__particle_contacts, has_forgotten),
    WEFT__MEMBER(weft__particle_contacts, body_count),
    WEFT__MEMBER(weft__particle_contacts, color_first),
    BODIES(particle, WEFT__CACHE),
    BODIES(boxes, WEFT__CACHE),
    WEFT__COLUMN_TIMES(weft__particle_contacts, bodies, 1 + WEFT__MAX_BODY_WALLS, body_capacity, 0,
                       WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__particle_contacts, rolls, 1 + WEFT__MAX_BODY_WALLS, roll_capacity, 0,
                       WEFT__SCRATCH),
    BODIES(start_velocity, WEFT__SCRATCH),
    BODIES(push, WEFT__SCRATCH),
    BODIES(color_mask, WEFT__SCRATCH),
    BODIES(active_sweep, WEFT__SCRATCH),
    BODIES(wall_count, WEFT__CACHE),
    BODIES(is_forgotten, WEFT__CACHE),
    WEFT__LIST_TIMES(weft__particle_contacts, wall_id, WEFT__MAX_BODY_WALLS, body_count,
                     body_capacity, WEFT__CACHE),
    BODIES(cell_order, WEFT__SCRATCH),
    BODIES(entries, WEFT__SCRATCH),
    PAIRS(list.pairs, WEFT__CACHE),
    WEFT__COLUMN_OF(weft__particle_contacts, list.first, list.first[0], 1, WEFT__CACHE,
                    WEFT__ROWS(weft__particle_contacts, body_count, 1, 1),
                    WEFT__ROWS(weft__particle_contacts, body_capacity, 1, 1)),
    PAIRS(last_list.pairs, WEFT__CACHE),
    WEFT__COLUMN_TIMES(weft__particle_contacts, last_list.first, 1, body_capacity, 1,
                       WEFT__SCRATCH),
    PAIRS(kept_impulse, WEFT__SCRATCH),
    PAIRS(contact_of_pair, WEFT__CACHE),
    PAIRS(color, WEFT__SCRATCH),
    PAIRS(contacts, WEFT__CACHE),
    WEFT__LIST_TIMES(weft__particle_contacts, wall_contacts, WEFT__MAX_BODY_WALLS, body_count,
                     body_capacity, WEFT__CACHE),
};

static void connect(void* table) {
  weft__particle_contacts* state = table;
  state->ends = state->last_list.pairs;
}

const weft__table weft__particle_contacts_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = connect};

static uint32_t grown_capacity(uint64_t wanted, uint64_t limit) {
  uint64_t capacity = 64;
  while (capacity < wanted) capacity *= 2;
  return (uint32_t)(capacity < limit ? capacity : limit);
}

static bool grow(weft__particle_contacts* state, uint32_t body_capacity, uint32_t pair_capacity,
                 bool has_rolls) {
  weft__particle_contacts made = {.body_capacity = body_capacity,
                                  .roll_capacity = has_rolls ? body_capacity : 0,
                                  .pair_capacity = pair_capacity,
                                  .has_rolls = has_rolls,
                                  .lost = state->lost};
  if (!weft__columns_create(&made, &weft__particle_contacts_table, 0, &made.block, &made.bytes))
    return false;
  made.cells = (weft__grid_cell*)made.entries;
  made.paths = (weft__body_path*)made.entries;
  weft__free(state->block);
  *state = made;
  return true;
}

static uint32_t count_bodies(const weft__materials* materials) {
  return materials->shape_count[WEFT_PARTICLE_SHAPE_SPHERE] +
         materials->shape_count[WEFT_PARTICLE_SHAPE_BOX] +
         materials->shape_count[WEFT_PARTICLE_SHAPE_ELLIPSOID];
}

// Capacities never shrink. A single body has no pairs.
bool weft__particle_contacts_prepare(weft__particle_contacts* state,
                                     const weft__contact_setup* setup) {
  const uint32_t count = count_bodies(setup->materials);
  if (count < 2) {
    state->on = false;
    state->pair_count = state->color_count = 0;
    state->has_bodies = false;
    return true;
  }
  const uint32_t bodies = count > state->body_capacity
                              ? grown_capacity(count, setup->particles->count)
                              : state->body_capacity;
  const uint64_t default_pairs = (uint64_t)PAIRS_A_BODY * bodies;
  const uint32_t max_pairs =
      setup->limits.max_pairs > 0
          ? setup->limits.max_pairs
          : (uint32_t)(default_pairs < MAX_PAIRS ? default_pairs : MAX_PAIRS);
  const bool has_rolls = state->has_rolls || setup->materials->turning_count > 0;
  const bool is_large_enough = bodies <= state->body_capacity &&
                               max_pairs <= state->pair_capacity && has_rolls == state->has_rolls;
  const uint32_t pairs = max_pairs > state->pair_capacity ? max_pairs : state->pair_capacity;
  if (!is_large_enough && !grow(state, bodies, pairs, has_rolls)) return false;
  if (max_pairs != state->max_pairs) state->has_bodies = false;
  state->max_pairs = max_pairs;
  state->on = true;
  return true;
}

void weft__particle_contacts_destroy(weft__particle_contacts* state) {
  weft__free(state->block);
  *state = (weft__particle_contacts){0};
}

typedef struct loop_args {
  weft__particle_contacts* state;
  weft__step_context* step;
  const weft__contact_scale* scale;
  _Atomic uint64_t* work; /* units; relaxed: read after the loop */
} loop_args;

// Lists the particles that are bodies in the values of the cell order, which is scratch here, and
// the new number of each former body in its keys, WEFT__NONE if it is none any more. Both lists are
// ascending. Returns the number of bodies.
static uint32_t number_bodies(const weft__particle_contacts* state, const weft__step_context* step,
                              uint32_t former_count) {
  const weft__materials* materials = step->materials;
  weft__sort_item* numbers = state->cell_order;
  uint32_t count = 0;
  uint32_t former = 0;
  for (uint32_t i = 0; i < step->particles->count; ++i) {
    const bool was_body = former < former_count && state->particle[former] == i;
    const bool is_body = count < state->body_capacity && materials->of[i] != 0 &&
                         weft__material_of(materials, i)->shape >= WEFT_PARTICLE_SHAPE_SPHERE;
    if (was_body) numbers[former++].key = is_body ? count : WEFT__NONE;
    if (is_body) numbers[count++].value = i;
  }
  return count;
}

// Drops the pairs of bodies that are gone, and renumbers the rest.
static void renumber_pairs(weft__particle_contacts* state, uint32_t former_count, uint32_t count) {
  const weft__pair_list from = state->list;
  const weft__pair_list to = state->last_list;
  const weft__sort_item* numbers = state->cell_order;
  uint32_t kept = 0;
  uint32_t next = 0;
  for (uint32_t a = 0; a < former_count; ++a) {
    if (numbers[a].key == WEFT__NONE) continue;
    const uint32_t own = (uint32_t)numbers[a].key;
    while (next <= own) to.first[next++] = kept;
    for (uint32_t i = from.first[a]; i < from.first[a + 1]; ++i) {
      const uint64_t other = numbers[from.pairs[i].b].key;
      if (other == WEFT__NONE) continue;
      to.pairs[kept] = (weft__particle_pair){own, (uint32_t)other};
      state->contact_of_pair[kept++] = state->contact_of_pair[i];
    }
  }
  while (next <= count) to.first[next++] = kept;
  state->pair_count = kept;
  state->list = to;
  state->last_list = from;
}

static void move_walls(const weft__particle_contacts* state, uint32_t from, uint32_t to) {
  const uint32_t first = WEFT__MAX_BODY_WALLS * from;
  const uint32_t into = WEFT__MAX_BODY_WALLS * to;
  const uint32_t count = state->wall_count[from];
  memcpy(state->wall_id + into, state->wall_id + first, count * sizeof(*state->wall_id));
  memcpy(state->wall_contacts + into, state->wall_contacts + first,
         count * sizeof(*state->wall_contacts));
  weft__walls_resize(state, from, 0, WEFT__MAX_BODY_WALLS);
  weft__walls_resize(state, to, count, WEFT__MAX_BODY_WALLS);
}

// Rows that move down go first, in ascending order, then those that move up, in descending order:
// none is overwritten before it has moved.
static void renumber_walls(const weft__particle_contacts* state, uint32_t former_count) {
  const weft__sort_item* numbers = state->cell_order;
  for (uint32_t a = 0; a < former_count; ++a) {
    if (numbers[a].key == WEFT__NONE) weft__walls_resize(state, a, 0, WEFT__MAX_BODY_WALLS);
  }
  for (uint32_t a = 0; a < former_count; ++a) {
    if (numbers[a].key < a) move_walls(state, a, (uint32_t)numbers[a].key);
  }
  for (uint32_t a = former_count; a-- > 0;) {
    if (numbers[a].key > a && numbers[a].key != WEFT__NONE) {
      move_walls(state, a, (uint32_t)numbers[a].key);
    }
  }
}

// Lists the bodies when materials have changed. Those that stay keep their impulses for warm
// starting.
static void list_bodies(weft__particle_contacts* state, const weft__step_context* step) {
  if (state->has_bodies && state->version == step->materials->version) return;
  if (!state->has_bodies) {
    state->body_count = state->pair_count = 0;
    state->has_forgotten = false;
  }
  const uint32_t former_count = state->body_count;
  // rows of no body may hold leftovers of a restore
  for (uint32_t body = former_count; body < state->body_capacity; ++body)
    weft__walls_resize(state, body, 0, WEFT__MAX_BODY_WALLS);
  memset(state->is_forgotten + former_count, 0, state->body_capacity - former_count);
  const uint32_t count = number_bodies(state, step, former_count);
  renumber_pairs(state, former_count, count);
  renumber_walls(state, former_count);
  for (uint32_t n = 0; n < count; ++n) state->particle[n] = state->cell_order[n].value;
  state->body_count = count;
  state->version = step->materials->version;
  state->has_bodies = true;
  state->is_listed = false;
}

// Impulse in the last list, at whichever end the pair was found then.
static weft__impulse last_impulse(const weft__particle_contacts* state, weft__particle_pair pair) {
  const weft__pair_list* last = &state->last_list;
  for (int k = 0; k < 2; ++k) {
    const uint32_t own = k == 0 ? pair.a : pair.b;
    const uint32_t other = k == 0 ? pair.b : pair.a;
    for (uint32_t i = last->first[own]; i < last->first[own + 1]; ++i) {
      if (last->pairs[i].b != other) continue;
      weft__impulse impulse = state->kept_impulse[i];
      for (int axis = 0; axis < 3 && k == 1; ++axis) impulse.along[axis] = -impulse.along[axis];
      return impulse;
    }
  }
  return (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
}

static void keep_impulses(void* context, weft__range pairs, uint32_t worker) {
  (void)worker;
  const weft__particle_contacts* state = ((const loop_args*)context)->state;
  for (uint32_t i = pairs.begin; i < pairs.end; ++i) {
    const weft__particle_contact* contact = &state->contacts[state->contact_of_pair[i]];
    const bool is_impact = contact->bounce >= 0.0f;
    state->kept_impulse[i] =
        is_impact ? (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}} : contact->impulse;
  }
}

static void swap_lists(weft__particle_contacts* state) {
  const weft__pair_list last = state->list;
  state->list = state->last_list;
  state->last_list = last;
}

static void start_contacts(void* context, weft__range pairs, uint32_t worker) {
  (void)worker;
  const weft__particle_contacts* state = ((const loop_args*)context)->state;
  for (uint32_t i = pairs.begin; i < pairs.end; ++i) {
    const weft__particle_pair pair = state->list.pairs[i];
    state->contacts[state->contact_of_pair[i]] = (weft__particle_contact){
        .a = pair.a, .b = pair.b, .bounce = -1.0f, .impulse = last_impulse(state, pair)};
  }
}

static void list_ends(void* context, weft__range pairs, uint32_t worker) {
  (void)worker;
  const weft__particle_contacts* state = ((const loop_args*)context)->state;
  for (uint32_t i = pairs.begin; i < pairs.end; ++i) {
    state->ends[state->contact_of_pair[i]] = state->list.pairs[i];
  }
}

static void rebuild_pairs(weft__particle_contacts* state, const weft__step_context* step,
                          weft__motion_span span) {
  loop_args args = {.state = state};
  weft__step_for(step, state->pair_count, PAIR_GRAIN, keep_impulses, &args);
  swap_lists(state);
  weft__particle_pairs_rebuild(state, step, span);
  weft__colors_assign(state, step);
  weft__step_for(step, state->pair_count, PAIR_GRAIN, start_contacts, &args);
  // all reads of the last list are done
  state->ends = state->last_list.pairs;
  weft__step_for(step, state->pair_count, PAIR_GRAIN, list_ends, &args);
  state->is_listed = true;
}

static void rebuild_if_needed(weft__particle_contacts* state, const weft__step_context* step,
                              weft__motion_span check_span, weft__motion_span list_span) {
  if (!state->is_listed || weft__particle_pairs_have_expired(state, step, check_span)) {
    rebuild_pairs(state, step, list_span);
  }
}

void weft__particle_contacts_forget(weft__particle_contacts* state, uint32_t particle) {
  if (!state->has_bodies) return;
  // bodies are listed by particle, ascending
  const uint32_t body = weft__find_last(state->particle, state->body_count, particle);
  if (state->particle[body] != particle) return;
  state->is_forgotten[body] = 1;
  state->has_forgotten = true;
}

static void drop_forgotten(weft__particle_contacts* state) {
  for (uint32_t i = 0; i < state->pair_count; ++i) {
    weft__particle_contact* contact = &state->contacts[i];
    if (!state->is_forgotten[contact->a] && !state->is_forgotten[contact->b]) continue;
    contact->impulse = (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
  }
  for (uint32_t body = 0; body < state->body_count; ++body) {
    if (state->is_forgotten[body]) weft__walls_resize(state, body, 0, WEFT__MAX_BODY_WALLS);
    state->is_forgotten[body] = 0;
  }
  state->has_forgotten = false;
}

void weft__particle_contacts_find(weft__particle_contacts* state, const weft__step_context* step) {
  // by their numbers in the list as it is
  if (state->has_forgotten && state->has_bodies) drop_forgotten(state);
  list_bodies(state, step);
  const weft__motion_span whole_step = {.substeps = step->substeps};
  rebuild_if_needed(state, step, whole_step, whole_step);
}

static void load_bodies(void* context, weft__range bodies, uint32_t worker) {
  (void)worker;
  const loop_args* args = context;
  weft__shape_contacts_load(args->state, args->step, bodies.begin, bodies.end);
}

static void make_pairs(void* context, weft__range pairs, uint32_t worker) {
  (void)worker;
  const loop_args* args = context;
  const uint64_t work =
      weft__shape_contacts_make(args->state, args->step, args->scale, pairs.begin, pairs.end);
  atomic_fetch_add_explicit(args->work, work, memory_order_relaxed);
}

static void make_walls(void* context, weft__range bodies, uint32_t worker) {
  (void)worker;
  const loop_args* args = context;
  weft__walls_make_contacts(args->state, args->step, args->scale, bodies.begin, bodies.end);
}

static weft__contact_scale make_contacts(weft__particle_contacts* state, weft__step_context* step) {
  _Atomic uint64_t work = 0;
  loop_args args = {.state = state, .step = step, .work = &work};
  atomic_store_explicit(&state->max_displacement_sq, 0, memory_order_relaxed);
  weft__step_for(step, state->body_count, BODY_GRAIN, load_bodies, &args);
  const weft__contact_scale scale = weft__contact_scale_of(state, step);
  args.scale = &scale;
  weft__step_for(step, state->pair_count, NARROW_GRAIN, make_pairs, &args);
  weft__step_for(step, state->body_count, BODY_GRAIN, make_walls, &args);
  weft__step_spend(step, work);
  return scale;
}

static void report(const weft__particle_contacts* state, const weft__step_context* step,
                   const weft__particle_contact* contact, uint32_t worker) {
  const bool touches = contact->impulse.normal > 0.0f || contact->gap <= 0.0f;
  if (!(contact->mass > 0.0f) || !touches) return;
  const uint32_t a = step->schedule->user_of[state->particle[contact->a]];
  const uint32_t b = step->schedule->user_of[state->particle[contact->b]];
  // the normal points to the particle with the lower number
  const double sign = a < b ? -1.0 : 1.0;
  const uint32_t i = state->particle[a < b ? contact->a : contact->b];
  const weft__particles* p = step->particles;
  const weft__vec3 position = weft__vec3_at(p->pos, i);
  const weft__vec3 normal = weft__scaled(sign, weft__vec3_of(contact->normal));
  const weft__vec3 along = weft__scaled(sign, weft__vec3_of(contact->impulse.along));
  const weft__contact_note note = {
      .particle = a < b ? a : b,
      .other = a < b ? b : a,
      .substep = step->substep,
      .impulse = weft__plus(weft__scaled((double)contact->impulse.normal, normal), along),
      .place = weft__contact_place_of(weft__material_of(step->materials, i), position, normal),
  };
  weft__contact_log_note(step->log, worker, &note);
}

static void report_pairs(void* context, weft__range pairs, uint32_t worker) {
  const loop_args* args = context;
  for (uint32_t i = pairs.begin; i < pairs.end; ++i) {
    report(args->state, args->step, &args->state->contacts[i], worker);
  }
}

static void snap_bodies(void* context, weft__range bodies, uint32_t worker) {
  const loop_args* args = context;
  weft__walls_snap(args->state, args->step, bodies.begin, bodies.end);
  if (!args->step->log->on && args->step->colliders->sums == NULL) return;
  weft__walls_report(args->state, args->step, bodies, worker);
}

// Once the budget is spent bodies move through each other until a later substep: they have passed
// into each other before, or there would be fewer pairs.
void weft__particle_contacts_solve(weft__particle_contacts* state, weft__step_context* step) {
  if (weft__step_cuts(step, WEFT__WORK_ALL)) return;
  const weft__motion_span past = {.has_begun = true};
  const weft__motion_span remaining = {step->substeps - step->substep - 1, true};
  rebuild_if_needed(state, step, past, remaining);
  const weft__contact_scale scale = make_contacts(state, step);
  weft__particle_contacts_iterate(state, step, &scale);
  loop_args args = {.state = state, .step = step};
  weft__step_for(step, state->body_count, BODY_GRAIN, snap_bodies, &args);
  if (!step->log->on) return;
  weft__step_for(step, state->pair_count, PAIR_GRAIN, report_pairs, &args);
}

typedef struct capacities {
  uint32_t bodies, pairs;
  uint32_t has_rolls;
} capacities;

static capacities capacities_of(const weft__particle_contacts* state) {
  return (capacities){state->body_capacity, state->pair_capacity, state->has_rolls};
}

// Tables of another memory; none for no bodies.
static bool replace_tables(weft__particle_contacts* state, const capacities* wanted) {
  weft__particle_contacts made = {0};
  const bool good =
      wanted->bodies == 0 || grow(&made, wanted->bodies, wanted->pairs, wanted->has_rolls != 0);
  if (good) *state = made;
  return good;
}

void weft__particle_contacts_visit(weft__particle_contacts* state, weft__archive* archive) {
  weft__particle_contacts* s = state;
  const capacities own = capacities_of(s);
  capacities wanted = own;
  WEFT__ARCHIVE_VALUE(archive, wanted);
  if (!weft__archive_is_good(archive)) return;
  if (weft__archive_is_checking(archive) && memcmp(&wanted, &own, sizeof(own)) != 0 &&
      !weft__archive_allocated(archive, replace_tables(s, &wanted))) {
    return;
  }
  weft__archive_table(archive, s, &weft__particle_contacts_table);
}
