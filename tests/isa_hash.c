/* Prints a hash for each of a few scenes, and checks that every instruction set of this machine and
 * several numbers of workers come to it. With the name of an instruction set it prints one hash of
 * all scenes, the same for 1 to 16 workers, or exits with 3 if this machine or build has no such
 * set. It needs nothing but the library, so that it can be built and run for another machine:
 * tools/neon.sh compares its output there and here, tools/determinism.sh that of many builds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/weft.h"

// contacts take more steps to form
#define STEPS 12u
#define CONTACT_STEPS 30u
#define SIDE 60u

static void check(weft_result result, const char* what) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "isa_hash: %s: %s: %s\n", what, result.field, weft_error_text(result.error));
  exit(1);
}

// uniform from 0 to 1, identical on all machines
static float draw(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / 16777216.0f;
}

static void build_sheet(weft_scene* scene) {
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = 65;
  def.rows = 67;
  def.bend = true;
  check(weft_scene_add_sheet(scene, &def, NULL), "sheet");
  check(weft_scene_pin(scene, weft_range(0, def.columns)), "pin");
}

// square of jittered particles, cells split along random diagonals; returns the first particle
static uint32_t add_mesh(weft_scene* scene, const weft_material_def* material) {
  static float positions[SIDE * SIDE][3];
  static uint32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
  uint32_t state = 1;
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    positions[i][0] = (float)(i % SIDE) + 0.4f * draw(&state);
    positions[i][1] = -(float)(i / SIDE) - 0.4f * draw(&state);
    positions[i][2] = 0.1f * draw(&state);
  }
  uint32_t count = 0;
  for (uint32_t row = 0; row + 1 < SIDE; ++row) {
    for (uint32_t column = 0; column + 1 < SIDE; ++column) {
      const uint32_t a = row * SIDE + column;
      const uint32_t corner[4] = {a, a + 1, a + SIDE + 1, a + SIDE};
      const uint32_t turn = draw(&state) < 0.5f ? 0 : 1;
      for (uint32_t half = 0; half < 2; ++half, ++count) {
        for (uint32_t k = 0; k < 3; ++k) {
          triangles[count][k] = corner[(turn + 2 * half + k) % 4];
        }
      }
    }
  }
  weft_mesh_def def = weft_default_mesh_def();
  def.material = material;
  def.positions = positions[0];
  def.vertex_count = SIDE * SIDE;
  def.triangles = triangles[0];
  def.triangle_count = count;
  def.material = material;
  weft_body body;
  check(weft_scene_add_mesh(scene, &def, &body), "mesh");
  return body.first_particle;
}

static void build_mesh(weft_scene* scene) {
  (void)add_mesh(scene, NULL);
  for (uint32_t i = 0; i < SIDE; i += 3) check(weft_scene_pin(scene, weft_range(i, 1)), "pin");
}

// sheet and mesh with the bend stiffness of a carpet
static void build_bending(weft_scene* scene) {
  weft_material_def material = weft_default_material_def();
  material.bend_stiffness = 0.1f;
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = 71;
  def.rows = 67;
  def.down[1] = 0.0f;
  def.down[2] = 1.0f;
  def.material = &material;
  check(weft_scene_add_sheet(scene, &def, NULL), "sheet");
  for (uint32_t i = 0; i < def.columns; ++i)
    check(weft_scene_pin(scene, weft_range(30 * def.columns + i, 1)), "pin");
  const uint32_t mesh = add_mesh(scene, &material);
  for (uint32_t i = 0; i < SIDE; i += 3)
    check(weft_scene_pin(scene, weft_range(mesh + i, 1)), "pin");
}

// sheet and mesh of a compliant material, sewn together by compliant links
static void build_soft(weft_scene* scene) {
  const weft_material_def material = weft_default_material_def();
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = 65;
  def.rows = 67;
  def.material = &material;
  check(weft_scene_add_sheet(scene, &def, NULL), "sheet");
  const uint32_t mesh = add_mesh(scene, &material);
  for (uint32_t i = 0; i < def.columns; i += 4)
    check(weft_scene_pin(scene, weft_range(i, 1)), "pin");
  for (uint32_t i = 0; i < SIDE; ++i) {
    const weft_link_def thread = {.a = (def.rows - 1) * def.columns + i,
                                  .b = mesh + i,
                                  .rest_length = 1.0f,
                                  .relaxation = 1.0f,
                                  .compliance = 0.001f * (float)(i % 5)};
    check(weft_scene_add_links(scene, &thread, 1, NULL), "threads");
  }
}

// ropes with varying masses and links, side by side
static void build_ropes(weft_scene* scene) {
  enum { ROPES = 20, LENGTH = 100 };
  uint32_t state = 2;
  for (uint32_t rope = 0; rope < ROPES; ++rope) {
    float positions[LENGTH][3];
    float inverse_masses[LENGTH];
    weft_link_def links[LENGTH - 1];
    for (uint32_t i = 0; i < LENGTH; ++i) {
      positions[i][0] = (float)i;
      positions[i][1] = draw(&state);
      positions[i][2] = (float)rope;
      inverse_masses[i] = i == 0 ? 0.0f : 0.5f + draw(&state);
    }
    weft_body body;
    check(weft_scene_add_particles(scene, positions[0], inverse_masses, LENGTH, &body), "rope");
    for (uint32_t i = 0; i + 1 < LENGTH; ++i) {
      links[i] = (weft_link_def){.a = body.first_particle + i,
                                 .b = body.first_particle + i + 1,
                                 .rest_length = 1.0f,
                                 .relaxation = 0.5f + 0.5f * draw(&state)};
    }
    check(weft_scene_add_links(scene, links, LENGTH - 1, NULL), "links");
  }
}

// ---- contacts ----

#define CLOTH_SIDE 24u
#define LOOSE_COUNT 24u

// level sheet above the origin, and loose particles above it
static void build_contacts(weft_scene* scene) {
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = def.rows = CLOTH_SIDE;
  def.origin[0] = def.origin[2] = -0.575f;
  def.down[1] = 0.0f;
  def.down[2] = 1.0f;
  check(weft_scene_add_sheet(scene, &def, NULL), "sheet");
  float positions[LOOSE_COUNT][3];
  float inverse_masses[LOOSE_COUNT];
  uint32_t state = 3;
  for (uint32_t i = 0; i < LOOSE_COUNT; ++i) {
    positions[i][0] = 1.2f * draw(&state) - 0.6f;
    positions[i][1] = 0.2f + 0.6f * draw(&state);
    positions[i][2] = 1.2f * draw(&state) - 0.6f;
    inverse_masses[i] = 100.0f + 900.0f * draw(&state);
  }
  check(weft_scene_add_particles(scene, positions[0], inverse_masses, LOOSE_COUNT, NULL), "loose");
}

// collision material of all particle shapes in this scene
static weft_particle_shape_def contact_of(weft_particle_shape shape, float size) {
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.shape = shape;
  contact.half_size[0] = size;
  contact.half_size[1] = 0.8f * size;
  contact.half_size[2] = 1.2f * size;
  contact.surface.restitution = 0.3f;
  contact.surface.static_friction = 0.4f;
  contact.surface.dynamic_friction = 0.3f;
  return contact;
}

static void add_collider(weft_world* world, weft_collider_shape shape, float x, float y, float z) {
  weft_collider_def def = weft_default_collider_def();
  def.shape = shape;
  def.position[0] = x;
  def.position[1] = y;
  def.position[2] = z;
  def.rotation[2] = 0.6f;
  def.rotation[3] = 0.8f;
  def.radius = 0.3f;
  def.velocity[1] = 0.2f;
  def.spin[0] = 0.5f;
  def.surface.static_friction = def.surface.dynamic_friction = 0.2f;
  weft_collider added;
  check(weft_world_add_collider(world, &def, &added), "collider");
}

static void set_contacts(weft_world* world) {
  weft_particle_shape_def cloth = contact_of(WEFT_PARTICLE_SHAPE_CLOTH, 0.55f * 0.05f);
  cloth.collision = WEFT_COLLISION_EXACT;
  check(weft_world_set_particle_shape(world, weft_range(0, CLOTH_SIDE * CLOTH_SIDE), &cloth),
        "cloth");
  const weft_particle_shape shapes[4] = {WEFT_PARTICLE_SHAPE_SPHERE, WEFT_PARTICLE_SHAPE_BOX,
                                         WEFT_PARTICLE_SHAPE_ELLIPSOID, WEFT_PARTICLE_SHAPE_POINT};
  for (uint32_t i = 0; i < LOOSE_COUNT; ++i) {
    const weft_particle_shape_def loose = contact_of(shapes[i % 4], 0.03f);
    check(weft_world_set_particle_shape(world, weft_range(CLOTH_SIDE * CLOTH_SIDE + i, 1), &loose),
          "loose");
  }
  add_collider(world, WEFT_COLLIDER_SHAPE_SPHERE, 0.0f, -0.35f, 0.0f);
  add_collider(world, WEFT_COLLIDER_SHAPE_BOX, 0.6f, -0.6f, 0.0f);
  add_collider(world, WEFT_COLLIDER_SHAPE_CAPSULE, -0.6f, -0.6f, 0.3f);
  add_collider(world, WEFT_COLLIDER_SHAPE_ELLIPSOID, 0.0f, -0.6f, 0.7f);
}

// floor reached by some particles of every scene
static void set_floor(weft_world* world) {
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = -2.0f;
  bounds.surface.restitution = 0.4f;
  bounds.surface.static_friction = bounds.surface.dynamic_friction = 0.3f;
  check(weft_world_set_bounds(world, &bounds), "bounds");
}

typedef struct named_scene {
  const char* name;
  void (*build)(weft_scene* scene);
  void (*start)(weft_world* world); /* NULL = no setup */
} named_scene;

static uint64_t hash_of(const named_scene* named, const weft_scene* scene, weft_isa isa,
                        uint32_t workers, uint32_t coarse) {
  weft_world_def def = weft_plain_world_def();
  def.isa = isa;
  def.worker_count = workers;
  def.solver.coarse_iterations = coarse;
  weft_world* world = NULL;
  check(weft_world_create(&def, scene, &world), "world");
  if (coarse > 0) set_floor(world);
  if (named->start != NULL) named->start(world);
  weft_world_step(world, named->start != NULL ? CONTACT_STEPS : STEPS);
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return hash;
}

// prints the hash; returns false if the hashes differ
static bool compare(const named_scene* named, const weft_scene* scene, uint32_t coarse) {
  const uint64_t expected = hash_of(named, scene, WEFT_ISA_SCALAR, 1, coarse);
  printf("%s, %s coarse levels: %016" PRIx64 "\n", named->name,
         coarse == 0 ? "without" : "on a floor, with", expected);
  for (int isa = WEFT_ISA_SCALAR; isa <= WEFT_ISA_SIMD128; ++isa) {
    if (!weft_isa_supported((weft_isa)isa)) continue;
    const uint32_t workers = isa % 2 == 1 ? 3 : 2;
    const uint64_t hash = hash_of(named, scene, (weft_isa)isa, workers, coarse);
    if (hash == expected) continue;
    fprintf(stderr, "isa_hash: %s with %s and %" PRIu32 " workers: %016" PRIx64 "\n", named->name,
            weft_isa_name((weft_isa)isa), workers, hash);
    return false;
  }
  return true;
}

static const named_scene scenes[] = {
    {"sheet", build_sheet, NULL},     {"mesh", build_mesh, NULL},
    {"bending", build_bending, NULL}, {"ropes", build_ropes, NULL},
    {"soft", build_soft, NULL},       {"contacts", build_contacts, set_contacts}};

enum { SCENES = sizeof(scenes) / sizeof(*scenes) };

// hash of one scene for 1 to 16 workers; exits if they differ
static uint64_t hash_of_workers(const named_scene* named, const weft_scene* scene, weft_isa isa,
                                uint32_t coarse) {
  static const uint32_t worker_counts[] = {1, 2, 3, 4, 8, 16};
  uint64_t first = 0;
  for (size_t w = 0; w < sizeof(worker_counts) / sizeof(*worker_counts); ++w) {
    const uint64_t hash = hash_of(named, scene, isa, worker_counts[w], coarse);
    if (w == 0) first = hash;
    if (hash == first) continue;
    fprintf(stderr, "isa_hash: %s with %" PRIu32 " workers: %016" PRIx64 ", not %016" PRIx64 "\n",
            named->name, worker_counts[w], hash, first);
    exit(1);
  }
  return first;
}

// prints one FNV-1a hash over the hashes of all scenes
static int print_one(const char* name) {
  int isa = WEFT_ISA_SCALAR;
  while (isa < WEFT_ISA_SIMD128 && strcmp(name, weft_isa_name((weft_isa)isa)) != 0) ++isa;
  if (strcmp(name, weft_isa_name((weft_isa)isa)) != 0 || !weft_isa_supported((weft_isa)isa)) {
    return 3;
  }
  uint64_t all = 0xcbf29ce484222325u;
  for (size_t i = 0; i < SCENES; ++i) {
    weft_scene* scene = NULL;
    check(weft_scene_create(&scene), "scene");
    scenes[i].build(scene);
    for (uint32_t coarse = 0; coarse <= 3; coarse += 3) {
      const uint64_t hash = hash_of_workers(&scenes[i], scene, (weft_isa)isa, coarse);
      for (int byte = 0; byte < 8; ++byte)
        all = (all ^ (hash >> (8 * byte) & 0xff)) * 0x100000001b3u;
    }
  }
  printf("%016" PRIx64 "\n", all);
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1) return print_one(argv[1]);
  for (size_t i = 0; i < SCENES; ++i) {
    weft_scene* scene = NULL;
    check(weft_scene_create(&scene), "scene");
    scenes[i].build(scene);
    const bool same = compare(&scenes[i], scene, 0) && compare(&scenes[i], scene, 3);
    if (!same) return 1;
  }
  fprintf(stderr, "isa_hash: checked");
  for (int isa = WEFT_ISA_SCALAR; isa <= WEFT_ISA_SIMD128; ++isa) {
    if (weft_isa_supported((weft_isa)isa)) fprintf(stderr, " %s", weft_isa_name((weft_isa)isa));
  }
  fprintf(stderr, "\n");
  return 0;
}
