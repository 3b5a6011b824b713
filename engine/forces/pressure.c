#include "forces/pressure.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "kernels/kernels.h"
#include "scene/faces.h"

#define GROUP_GRAIN WEFT__GRAIN(64u, 1u)

// over the initial volume
#define MIN_VOLUME_SHARE 0.05

static uint32_t blocks_of(uint32_t face_count) {
  return face_count / WEFT__FACE_BLOCK + (face_count % WEFT__FACE_BLOCK > 0);
}

static void push_blocks(weft__pressures* pressures, uint32_t first_face, uint32_t face_count,
                        uint32_t body) {
  const uint32_t end = first_face + face_count;
  for (uint32_t first = first_face; first < end; first += WEFT__FACE_BLOCK) {
    const uint32_t count = end - first < WEFT__FACE_BLOCK ? end - first : WEFT__FACE_BLOCK;
    pressures->blocks[pressures->block_count++] =
        (weft__face_block){.first = first, .end = first + count, .body = body};
  }
}

static uint32_t particles_of(const weft_scene* scene, const weft__pressure_body* closed) {
  uint32_t count = 0;
  for (size_t p = closed->first_part; p < closed->end_part; ++p) {
    count += scene->parts[p].particle_count;
  }
  return count;
}

static void push_particles(weft__pressures* pressures, const weft_scene* scene,
                           const weft__schedule* schedule, uint32_t body) {
  const weft__pressure_body* closed = &scene->pressures[body];
  const uint32_t first = scene->parts[closed->first_part].first_particle;
  const uint32_t count = particles_of(scene, closed);
  uint32_t* particles = pressures->particles + pressures->particle_count;
  for (uint32_t i = 0; i < count; ++i) {
    particles[i] = schedule->solver_of[first + i];
    pressures->body_of[particles[i]] = body;
    pressures->has_gas[particles[i] / WEFT__LANES] = true;
  }
  pressures->particle_count += count;
}

static void lay_out(weft__pressures* pressures, const weft_scene* scene, size_t blocks,
                    size_t particles, weft__arena* arena) {
  const size_t all = pressures->count > 0 ? scene->particle_count : 0;
  pressures->pressures = weft__arena_alloc(arena, pressures->count, sizeof(*pressures->pressures));
  pressures->blocks = weft__arena_alloc(arena, blocks, sizeof(*pressures->blocks));
  pressures->particles = weft__arena_alloc(arena, particles, sizeof(*pressures->particles));
  pressures->body_of = weft__arena_alloc(arena, all, sizeof(*pressures->body_of));
  pressures->has_gas = weft__arena_alloc(arena, all, sizeof(*pressures->has_gas));
  for (int axis = 0; axis < 3; ++axis)
    pressures->force[axis] = weft__arena_alloc(arena, all, sizeof(*pressures->force[axis]));
}

static bool allocate(weft__pressures* pressures, const weft_scene* scene) {
  size_t blocks = 0, particles = 0;
  for (size_t g = 0; g < scene->pressure_count; ++g) {
    const weft__pressure_body* closed = &scene->pressures[g];
    blocks += blocks_of(weft__scene_face_count(scene, closed->first_part, closed->end_part));
    particles += particles_of(scene, closed);
  }
  for (weft__arena arena = {0}; weft__arena_next(&arena, &pressures->block, &pressures->bytes);) {
    lay_out(pressures, scene, blocks, particles, &arena);
  }
  if (pressures->block == NULL) return false;
  for (uint32_t i = 0; i < scene->particle_count && pressures->count > 0; ++i)
    pressures->body_of[i] = WEFT__NONE;
  return true;
}

// Scene order; or WEFT__NONE.
static uint32_t body_of(const weft_scene* scene, uint32_t particle) {
  size_t begin = 0;
  size_t end = scene->pressure_count;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    const weft__pressure_body* closed = &scene->pressures[middle];
    const weft__part* last = &scene->parts[closed->end_part - 1];
    if (particle >= last->first_particle + last->particle_count) {
      begin = middle + 1;
    } else if (particle < scene->parts[closed->first_part].first_particle) {
      end = middle;
    } else {
      return (uint32_t)middle;
    }
  }
  return WEFT__NONE;
}

static void mark_linked_bodies(weft__pressures* pressures, const weft_scene* scene) {
  if (pressures->count == 0) return;
  for (uint32_t i = 0; i < scene->links.count; ++i) {
    const uint32_t a = body_of(scene, scene->links.end_a[i]);
    const uint32_t b = body_of(scene, scene->links.end_b[i]);
    if (a == b) continue;
    if (a != WEFT__NONE) pressures->pressures[a].is_linked = true;
    if (b != WEFT__NONE) pressures->pressures[b].is_linked = true;
  }
}

bool weft__pressures_create(weft__pressures* pressures, const weft_scene* scene,
                            const weft__schedule* schedule) {
  *pressures = (weft__pressures){.count = (uint32_t)scene->pressure_count};
  if (!allocate(pressures, scene)) return false;
  uint32_t face = 0;
  size_t part = 0;
  for (uint32_t g = 0; g < pressures->count; ++g) {
    const weft__pressure_body* closed = &scene->pressures[g];
    weft__pressure* body = &pressures->pressures[g];
    face += weft__scene_face_count(scene, part, closed->first_part);
    part = closed->end_part;
    body->first_block = pressures->block_count;
    const uint32_t face_count = weft__scene_face_count(scene, closed->first_part, part);
    push_blocks(pressures, face, face_count, g);
    face += face_count;
    body->end_block = pressures->block_count;
    body->pressure = (double)closed->pressure;
    body->volume = closed->volume;
    body->first_particle = pressures->particle_count;
    push_particles(pressures, scene, schedule, g);
    body->end_particle = pressures->particle_count;
  }
  mark_linked_bodies(pressures, scene);
  return true;
}

void weft__pressures_destroy(weft__pressures* pressures) {
  weft__free(pressures->block);
  *pressures = (weft__pressures){0};
}

static void read_position(const weft__particles* p, uint32_t i, double position[3]) {
  for (int axis = 0; axis < 3; ++axis) position[axis] = (double)p->pos[axis][i];
}

typedef struct load_args {
  const weft__pressures* pressures;
  const weft__faces* faces;
  const weft__stars* stars;
  bool any_torn;
  weft__step_context* step;
} load_args;

// Volume of a block of faces.
static void measure(const load_args* args, uint32_t number) {
  const weft__pressures* pressures = args->pressures;
  const weft__faces* faces = args->faces;
  const weft__particles* particles = args->step->particles;
  weft__face_block* block = &pressures->blocks[number];
  if (!weft__pressures_solves(pressures, block->body)) return;
  // all blocks of a body measure relative to one point
  const uint32_t first_face =
      pressures->blocks[pressures->pressures[block->body].first_block].first;
  double origin[3];
  read_position(particles, faces->corner[first_face][0], origin);
  double six_volumes = 0.0;
  bool has_hole = false;
  for (uint32_t f = block->first; f < block->end; ++f) {
    has_hole = has_hole || (args->any_torn && weft__face_is_torn(faces, args->step->schedule, f));
    double corner[3][3];
    for (int k = 0; k < 3; ++k) {
      read_position(particles, faces->corner[f][k], corner[k]);
      for (int axis = 0; axis < 3; ++axis) corner[k][axis] -= origin[axis];
    }
    six_volumes += weft__triple(corner[0], corner[1], corner[2]);
  }
  block->six_volumes = six_volumes;
  block->has_hole = has_hole;
}

static void measure_blocks(void* context, weft__range blocks, uint32_t worker) {
  (void)worker;
  for (uint32_t b = blocks.begin; b < blocks.end; ++b) measure(context, b);
}

static void update(const weft__pressures* pressures) {
  for (uint32_t g = 0; g < pressures->count; ++g) {
    if (!weft__pressures_solves(pressures, g)) continue;
    weft__pressure* body = &pressures->pressures[g];
    double six_volumes = 0.0;
    for (uint32_t b = body->first_block; b < body->end_block; ++b) {
      six_volumes += pressures->blocks[b].six_volumes;
      body->has_leaked = body->has_leaked || pressures->blocks[b].has_hole;
    }
    const double min_volume = MIN_VOLUME_SHARE * body->volume;
    const double volume = six_volumes / 6.0 > min_volume ? six_volumes / 6.0 : min_volume;
    const double pressure = body->pressure * body->volume / volume;
    body->pressure_now = body->has_leaked ? 0.0f : (float)pressure;
  }
}

static void load_groups(void* context, weft__range groups, uint32_t worker) {
  (void)worker;
  const load_args* args = context;
  const weft__pressures* pressures = args->pressures;
  weft__particles* particles = args->step->particles;
  weft__gas_load load = {.force = {pressures->force[0], pressures->force[1], pressures->force[2]}};
  for (uint32_t g = groups.begin; g < groups.end; ++g) {
    if (!pressures->has_gas[g]) continue;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      const uint32_t i = g * WEFT__LANES + lane;
      const uint32_t body = i < particles->count ? pressures->body_of[i] : WEFT__NONE;
      load.gauge[lane] = body == WEFT__NONE ? 0.0f : pressures->pressures[body].pressure_now;
    }
    args->step->kernels->load_gas(particles, args->stars, g, &load);
  }
}

void weft__pressures_load(const weft__pressures* pressures, const weft__faces* faces,
                          const weft__stars* stars, bool any_torn, weft__step_context* step) {
  load_args args = {pressures, faces, stars, any_torn, step};
  weft__domain_read(step->domain, &weft__pressure_read, step->particles);
  weft__step_for(step, pressures->block_count, 1, measure_blocks, &args);
  update(pressures);
  const weft__range groups = weft__step_blocks(step, WEFT__LANES);
  weft__step_for_range(step, groups, GROUP_GRAIN, load_groups, &args);
}

static uint32_t count_bodies(const void* table) {
  return ((const weft__pressures*)table)->count;
}

static weft__particle_set list_body(const void* table, uint32_t index) {
  const weft__pressures* pressures = table;
  const weft__pressure* body = &pressures->pressures[index];
  return (weft__particle_set){pressures->particles + body->first_particle,
                              body->end_particle - body->first_particle};
}

const weft__halo_rows weft__pressure_rows = {
    .set_count = count_bodies, .set = list_body, .solves = offsetof(weft__pressures, solves)};

const weft__halo_read weft__pressure_read = {&weft__pressure_rows, &weft__particle_moves};
