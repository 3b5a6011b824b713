/* Components of a scene: particles that its constraints connect, and their chunks. */
#include <math.h>

#include "base/arena.h"
#include "base/union_find.h"
#include "step/step.h"

// Share of its longest edge within which a triangle's points have a corner: 1 / sqrt(3).
#define CORNER_SHARE 0.578f

// ---- forest of particles ----

// Joins particles [first, end) in the caller's order.
static void join_range(uint32_t* parent, const uint32_t* solver_of, uint32_t first, uint32_t end) {
  for (uint32_t user = first + 1; user < end; ++user) {
    (void)weft__unite(parent, solver_of[first], solver_of[user]);
  }
}

static void join_constraints(uint32_t* parent, const uint32_t* solver_of, const weft_scene* scene) {
  for (uint32_t k = 0; k < scene->links.count; ++k) {
    (void)weft__unite(parent, solver_of[scene->links.end_a[k]], solver_of[scene->links.end_b[k]]);
  }
  for (uint32_t k = 0; k < scene->hinges.count; ++k) {
    const uint32_t* particle = scene->hinges.particle[k];
    for (int end = 1; end < 4; ++end) {
      if (particle[end] == WEFT__NO_PARTICLE) continue;
      (void)weft__unite(parent, solver_of[particle[0]], solver_of[particle[end]]);
    }
  }
  for (size_t k = 0; k < scene->pressure_count; ++k) {
    const weft__part* first = &scene->parts[scene->pressures[k].first_part];
    const weft__part* last = &scene->parts[scene->pressures[k].end_part - 1];
    join_range(parent, solver_of, first->first_particle,
               last->first_particle + last->particle_count);
  }
}

static void join_pair_force(uint32_t* parent, const uint32_t* solver_of,
                            const weft_pair_force_def* law, uint32_t count) {
  if (law->kind == WEFT_PAIR_FORCE_NONE) return;
  join_range(parent, solver_of, law->first, law->count == 0 ? count : law->first + law->count);
}

// ---- tables ----

// Numbers the components by their first particles; returns their number.
static uint32_t number_components(uint32_t* parent, uint32_t count, uint32_t* component_of) {
  uint32_t components = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t root = weft__find_root(parent, i);
    component_of[i] = root == i ? components++ : component_of[root];
  }
  return components;
}

static uint32_t count_chunks(const uint32_t* sizes, uint32_t components) {
  uint32_t chunks = 0;
  for (uint32_t c = 0; c < components; ++c) {
    chunks += (sizes[c] + WEFT__SLEEP_CHUNK - 1) / WEFT__SLEEP_CHUNK;
  }
  return chunks;
}

static void layout(weft__sleep* s, weft__arena* arena, uint32_t patches) {
  const size_t particles = s->particle_count;
  const size_t components = s->component_count;
  const size_t chunks = s->chunk_count;
  s->component_of = weft__arena_alloc(arena, particles, sizeof(*s->component_of));
  s->members = weft__arena_alloc(arena, particles, sizeof(*s->members));
  s->inv_mass = weft__arena_alloc(arena, particles, sizeof(*s->inv_mass));
  s->first_chunk = weft__arena_alloc(arena, components + 1, sizeof(*s->first_chunk));
  s->has_faces = weft__arena_alloc(arena, components, sizeof(*s->has_faces));
  s->asleep = weft__arena_alloc(arena, components, sizeof(*s->asleep));
  s->resting = weft__arena_alloc(arena, components, sizeof(*s->resting));
  s->mark = weft__arena_alloc(arena, components, sizeof(*s->mark));
  s->queue = weft__arena_alloc(arena, components, sizeof(*s->queue));
  s->chunk_first = weft__arena_alloc(arena, chunks + 1, sizeof(*s->chunk_first));
  s->component_of_chunk = weft__arena_alloc(arena, chunks, sizeof(*s->component_of_chunk));
  s->reach = weft__arena_alloc(arena, chunks, sizeof(*s->reach));
  s->start_x = weft__arena_alloc(arena, particles, sizeof(*s->start_x));
  s->start_y = weft__arena_alloc(arena, particles, sizeof(*s->start_y));
  s->start_z = weft__arena_alloc(arena, particles, sizeof(*s->start_z));
  s->is_fast = weft__arena_alloc(arena, components, sizeof(*s->is_fast));
  s->rests = weft__arena_alloc(arena, chunks, sizeof(*s->rests));
  s->is_slow = weft__arena_alloc(arena, chunks, sizeof(*s->is_slow));
  s->boxes = weft__arena_alloc(arena, chunks, sizeof(*s->boxes));
  s->items = weft__arena_alloc(arena, chunks, sizeof(*s->items));
  s->chunk_of_item = weft__arena_alloc(arena, chunks, sizeof(*s->chunk_of_item));
  s->patch_sleeps = weft__arena_alloc(arena, patches, sizeof(*s->patch_sleeps));
}

// Cuts the members of each component, which are listed by their sizes, into chunks.
static void fill_chunks(weft__sleep* s, const uint32_t* sizes) {
  uint32_t chunk = 0;
  uint32_t member = 0;
  for (uint32_t c = 0; c < s->component_count; ++c) {
    s->first_chunk[c] = chunk;
    for (uint32_t left = sizes[c]; left > 0; ++chunk) {
      const uint32_t taken = left < WEFT__SLEEP_CHUNK ? left : WEFT__SLEEP_CHUNK;
      s->chunk_first[chunk] = member;
      s->component_of_chunk[chunk] = c;
      s->boxes[chunk] = weft__aabb_empty();
      member += taken;
      left -= taken;
    }
  }
  s->first_chunk[s->component_count] = chunk;
  s->chunk_first[chunk] = member;
}

// Lists the particles of each component; `next` is scratch [component_count].
static void list_members(weft__sleep* s, uint32_t* next) {
  for (uint32_t c = 0; c < s->component_count; ++c) next[c] = s->chunk_first[s->first_chunk[c]];
  for (uint32_t i = 0; i < s->particle_count; ++i) s->members[next[s->component_of[i]]++] = i;
}

static float distance_of(const weft__particles* p, uint32_t a, uint32_t b) {
  float d[3];
  for (int axis = 0; axis < 3; ++axis) d[axis] = p->pos[axis][a] - p->pos[axis][b];
  return sqrtf(weft__dot3(d, d));
}

// Any point of a face, or of a strand of CCD, is within this of a particle at its end. `chunk_of`
// is scratch.
static void measure_reach(weft__sleep* s, const weft__stepper* stepper, const weft_scene* scene,
                          uint32_t* chunk_of) {
  const weft__faces* faces = &stepper->forces.faces;
  const weft__particles* p = &stepper->particles;
  for (uint32_t chunk = 0; chunk < s->chunk_count; ++chunk) {
    for (uint32_t m = s->chunk_first[chunk]; m < s->chunk_first[chunk + 1]; ++m) {
      chunk_of[s->members[m]] = chunk;
    }
  }
  for (uint32_t f = 0; f < faces->count; ++f) {
    float longest = 0.0f;
    for (int k = 0; k < 3; ++k) {
      const float length = distance_of(p, faces->corner[f][k], faces->corner[f][(k + 1) % 3]);
      if (length > longest) longest = length;
    }
    for (int k = 0; k < 3; ++k) {
      const uint32_t i = faces->corner[f][k];
      float* reach = &s->reach[chunk_of[i]];
      if (CORNER_SHARE * longest > *reach) *reach = CORNER_SHARE * longest;
      s->has_faces[s->component_of[i]] = true;
    }
  }
  for (uint32_t link = 0; link < scene->links.count; ++link) {
    if (scene->links.kind[link] != WEFT_LINK_STRUCTURAL) continue;
    const uint32_t* solver_of = stepper->schedule.solver_of;
    const uint32_t end[2] = {solver_of[scene->links.end_a[link]],
                             solver_of[scene->links.end_b[link]]};
    const float half = 0.5f * distance_of(p, end[0], end[1]);
    for (int k = 0; k < 2; ++k) {
      float* reach = &s->reach[chunk_of[end[k]]];
      if (half > *reach) *reach = half;
    }
  }
}

// Allocates and fills the columns for components of these sizes. `parent` becomes scratch.
static bool fill_columns(weft__stepper* stepper, const uint32_t* component_of,
                         const uint32_t* sizes, const weft_scene* scene, uint32_t* parent) {
  weft__sleep* s = &stepper->sleep;
  for (weft__arena arena = {0}; weft__arena_next(&arena, &s->block, &s->bytes);) {
    layout(s, &arena, stepper->schedule.patch_count);
  }
  if (s->block == NULL || !weft__bvh_create(&s->tree, s->chunk_count)) return false;
  s->bytes += s->tree.bytes;
  for (uint32_t i = 0; i < s->particle_count; ++i) s->component_of[i] = component_of[i];
  fill_chunks(s, sizes);
  list_members(s, s->queue);
  if (stepper->forces.has_faces) measure_reach(s, stepper, scene, parent);
  return true;
}

bool weft__sleep_create(weft__stepper* stepper, const weft_scene* scene) {
  weft__sleep* s = &stepper->sleep;
  if (!weft__sleep_is_on(s)) return true;
  const uint32_t count = scene->particle_count;
  const uint32_t* solver_of = stepper->schedule.solver_of;
  uint32_t* scratch = weft__alloc_zeroed((uint64_t)3 * count, sizeof(*scratch));
  if (scratch == NULL) return false;
  uint32_t* parent = scratch;
  uint32_t* component_of = scratch + count;
  uint32_t* sizes = scratch + (size_t)2 * count;
  for (uint32_t i = 0; i < count; ++i) parent[i] = i;
  join_constraints(parent, solver_of, scene);
  join_pair_force(parent, solver_of, &stepper->pair_force, count);
  s->particle_count = count;
  s->component_count = number_components(parent, count, component_of);
  for (uint32_t i = 0; i < count; ++i) ++sizes[component_of[i]];
  s->chunk_count = count_chunks(sizes, s->component_count);
  const bool good = fill_columns(stepper, component_of, sizes, scene, parent);
  weft__free(scratch);
  return good;
}

void weft__sleep_visit(weft__sleep* s, weft__archive* archive, uint32_t patch_count) {
  WEFT__ARCHIVE_VALUE(archive, s->step);
  WEFT__ARCHIVE_VALUE(archive, s->settled);
  WEFT__ARCHIVE_VALUE(archive, s->has_changed);
  WEFT__ARCHIVE_VALUE(archive, s->sleeping_components);
  WEFT__ARCHIVE_VALUE(archive, s->sleeping_particles);
  WEFT__ARCHIVE_VALUE(archive, s->fell_asleep);
  WEFT__ARCHIVE_VALUE(archive, s->woke_up);
  WEFT__ARCHIVE_VALUE(archive, s->skipped_steps);
  const bool fits = s->step < WEFT__SLEEP_INTERVAL && s->settled <= WEFT__SLEEP_SETTLE &&
                    s->sleeping_components <= s->component_count;
  if (!weft__archive_expect(archive, fits) || !weft__sleep_is_on(s)) return;
  WEFT__ARCHIVE_ARRAY(archive, s->asleep, s->component_count);
  WEFT__ARCHIVE_ARRAY(archive, s->resting, s->component_count);
  WEFT__ARCHIVE_ARRAY(archive, s->is_fast, s->component_count);
  WEFT__ARCHIVE_ARRAY(archive, s->inv_mass, s->particle_count);
  WEFT__ARCHIVE_ARRAY(archive, s->start_x, s->particle_count);
  WEFT__ARCHIVE_ARRAY(archive, s->start_y, s->particle_count);
  WEFT__ARCHIVE_ARRAY(archive, s->start_z, s->particle_count);
  WEFT__ARCHIVE_ARRAY(archive, s->boxes, s->chunk_count);
  WEFT__ARCHIVE_ARRAY(archive, s->patch_sleeps, patch_count);
  if (weft__archive_is_loading(archive)) s->has_tree = false;
}

void weft__sleep_destroy(weft__sleep* sleep) {
  weft__bvh_destroy(&sleep->tree);
  weft__free(sleep->block);
  *sleep = (weft__sleep){0};
}
