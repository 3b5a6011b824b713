/* A ring of snapshots: a curtain is stepped for two seconds, rewound by one, and stepped again. */
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { SLOTS = 64, SECOND = 60 };

/* The last SLOTS states of a world. */
typedef struct ring {
  void* memory[SLOTS];
  size_t capacity[SLOTS], size[SLOTS];
  unsigned count; /* saved so far: state n is in slot n % SLOTS */
} ring;

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

static void push(ring* states, const weft_world* world) {
  const unsigned slot = states->count++ % SLOTS;
  size_t needed = 0;
  check(weft_world_get_snapshot_size(world, &needed));
  if (needed > states->capacity[slot]) {
    free(states->memory[slot]);
    states->memory[slot] = malloc(needed);
    states->capacity[slot] = needed;
    if (states->memory[slot] == NULL) exit(EXIT_FAILURE);
  }
  check(weft_world_save(world, states->memory[slot], needed, &states->size[slot]));
}

/* Restores the state before the last `steps` steps; later states are dropped. */
static void rewind_by(ring* states, weft_world* world, unsigned steps) {
  if (steps >= SLOTS || steps >= states->count) exit(EXIT_FAILURE);
  states->count -= steps;
  const unsigned slot = (states->count - 1) % SLOTS;
  check(weft_world_restore(world, states->memory[slot], states->size[slot]));
}

static void step(ring* states, weft_world* world, unsigned steps) {
  for (unsigned s = 0; s < steps; ++s) {
    weft_world_step(world, 1);
    push(states, world);
  }
}

static weft_world* new_curtain(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  const weft_world_def def = weft_default_world_def();
  sheet.columns = sheet.rows = 33;
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  check(weft_scene_pin(scene, weft_range(0, sheet.columns)));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  return world;
}

int main(void) {
  static ring states;
  weft_world* world = new_curtain();
  push(&states, world);
  step(&states, world, 2 * SECOND);
  const uint64_t first = weft_world_hash(world);
  rewind_by(&states, world, SECOND);
  step(&states, world, SECOND);
  const uint64_t again = weft_world_hash(world);
  printf("%zu bytes a state; %016llx, rewound and again %016llx\n", states.size[0],
         (unsigned long long)first, (unsigned long long)again);
  for (unsigned slot = 0; slot < SLOTS; ++slot) free(states.memory[slot]);
  weft_world_destroy(&world);
  return first == again ? EXIT_SUCCESS : EXIT_FAILURE;
}
