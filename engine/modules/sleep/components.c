#include <math.h>

#include "base/memory.h"
#include "base/union_find.h"
#include "modules/sleep/sleep.h"
#include "step/step.h"

// Share of its longest edge within which a triangle's points have a corner: 1 / sqrt(3).
#define CORNER_SHARE 0.578f

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

// Components are numbered by their first particles.
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

static const weft__column columns[] = {
    WEFT__MEMBER(weft__sleep, step),
    WEFT__MEMBER(weft__sleep, settled),
    WEFT__MEMBER(weft__sleep, has_changed),
    WEFT__MEMBER(weft__sleep, sleeping_components),
    WEFT__MEMBER(weft__sleep, sleeping_particles),
    WEFT__MEMBER(weft__sleep, fell_asleep),
    WEFT__MEMBER(weft__sleep, woke_up),
    WEFT__MEMBER(weft__sleep, skipped_steps),
    WEFT__COLUMN(weft__sleep, component_of, particle_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__sleep, members, particle_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__sleep, inv_mass, particle_count, WEFT__STATE),
    WEFT__COLUMN_TIMES(weft__sleep, first_chunk, 1, component_count, 1, WEFT__DERIVED),
    WEFT__COLUMN(weft__sleep, has_faces, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__sleep, asleep, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__sleep, resting, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__sleep, mark, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__sleep, queue, component_count, WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__sleep, chunk_first, 1, chunk_count, 1, WEFT__DERIVED),
    WEFT__COLUMN(weft__sleep, component_of_chunk, chunk_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__sleep, reach, chunk_count, WEFT__DERIVED),
    WEFT__VECTOR(weft__sleep, start, particle_count, WEFT__STATE),
    WEFT__COLUMN(weft__sleep, is_fast, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__sleep, rests, chunk_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__sleep, is_slow, chunk_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__sleep, boxes, chunk_count, WEFT__STATE),
    WEFT__COLUMN(weft__sleep, items, chunk_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__sleep, chunk_of_item, chunk_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__sleep, patch_sleeps, patch_count, WEFT__STATE),
    WEFT__COLUMN(weft__sleep, holds, particle_count, WEFT__DERIVED),
};

static bool is_sound(const void* table) {
  const weft__sleep* s = table;
  return s->step < WEFT__SLEEP_INTERVAL && s->settled <= WEFT__SLEEP_SETTLE &&
         s->sleeping_components <= s->component_count;
}

static void derive(void* table) {
  weft__sleep* s = table;
  s->has_tree = false;
  for (uint32_t i = 0; i < s->particle_count; ++i) s->holds[i] = s->asleep[s->component_of[i]];
}

const weft__table weft__sleep_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .is_sound = is_sound, .loaded = derive};

// Chunks of each component's members, listed by their sizes.
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

// Sets the reach of chunks: each point of a face or a CCD strand is within it of a particle at an
// end. `chunk_of` is scratch.
static void measure_reach(weft__sleep* s, const weft_scene* scene, uint32_t* chunk_of) {
  const weft__faces* faces = &s->stepper->forces.faces;
  const weft__particles* p = &s->stepper->particles;
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
    const uint32_t* solver_of = s->stepper->schedule.solver_of;
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
static bool fill_columns(weft__sleep* s, const uint32_t* component_of, const uint32_t* sizes,
                         const weft_scene* scene, uint32_t* parent) {
  const weft__stepper* stepper = s->stepper;
  s->patch_count = stepper->schedule.patch_count;
  if (!weft__columns_create(s, &weft__sleep_table, 0, &s->block, &s->bytes) ||
      !weft__bvh_create(&s->tree, s->chunk_count)) {
    return false;
  }
  s->bytes += s->tree.bytes;
  for (uint32_t i = 0; i < s->particle_count; ++i) s->component_of[i] = component_of[i];
  fill_chunks(s, sizes);
  list_members(s, s->queue);
  if (stepper->forces.has_faces) measure_reach(s, scene, parent);
  return true;
}

bool weft__sleep_create(weft__sleep* s, const weft_scene* scene) {
  const weft__stepper* stepper = s->stepper;
  const uint32_t count = scene->particle_count;
  const uint32_t* solver_of = stepper->schedule.solver_of;
  uint32_t* scratch = weft__alloc_zeroed((uint64_t)3 * count, sizeof(*scratch));
  if (scratch == NULL) return false;
  uint32_t* parent = scratch;
  uint32_t* component_of = scratch + count;
  uint32_t* sizes = scratch + (size_t)2 * count;
  for (uint32_t i = 0; i < count; ++i) parent[i] = i;
  join_constraints(parent, solver_of, scene);
  join_pair_force(parent, solver_of, &stepper->settings.pair_force, count);
  s->particle_count = count;
  s->component_count = number_components(parent, count, component_of);
  for (uint32_t i = 0; i < count; ++i) ++sizes[component_of[i]];
  s->chunk_count = count_chunks(sizes, s->component_count);
  const bool good = fill_columns(s, component_of, sizes, scene, parent);
  weft__free(scratch);
  return good;
}

void weft__sleep_destroy(weft__sleep* sleep) {
  weft__bvh_destroy(&sleep->tree);
  weft__free(sleep->block);
  *sleep = (weft__sleep){0};
}
