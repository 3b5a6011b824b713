/* weft-bench snapshot: time to save and restore a world, against a copy of the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/clock.h"
#include "common/command_line.h"
#include "common/interrupt.h"
#include "common/must.h"

typedef struct snapshot_settings {
  uint32_t size, range, repeats;
  bool thick;
} snapshot_settings;

#define AT(member) offsetof(snapshot_settings, member)
static const tool_option options[] = {
    TOOL_RANGE(COUNT, "size", "N", AT(size), 2, 8000,
               "particles along each side, 2 to 8000 (default 1000)"),
    TOOL_OPTION(FLAG, "thick", NULL, AT(thick), "with self-collision, whose lists are saved too"),
    TOOL_RANGE(COUNT, "range", "N", AT(range), 1, 1000000,
               "particles of the range, 1 to 1000000 (default 400)"),
    TOOL_RANGE(COUNT, "repeats", "N", AT(repeats), 1, 1000, "1 to 1000 (default 10)"),
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {"Exit status: 0 success, 2 error, 130 Ctrl-C.", NULL};

static weft_world* new_sheet(const snapshot_settings* settings) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_world_def def = weft_plain_world_def();
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  sheet.columns = sheet.rows = settings->size;
  def.solver.iterations = 1;
  tool_must(weft_scene_create(&scene));
  tool_must(weft_scene_add_sheet(scene, &sheet, NULL));
  tool_must(weft_scene_pin(scene, weft_range(0, sheet.columns)));
  tool_must(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = 0.4f * sheet.spacing;
  const uint32_t count = settings->size * settings->size;
  if (settings->thick)
    tool_must(weft_world_set_particle_shape(world, weft_range(0, count), &shape));
  weft_world_step(world, 1);
  return world;
}

enum { COPY, SAVE, RESTORE, SAVE_RANGE, RESTORE_RANGE, TIMES };

// One call of each kind, in nanoseconds, if shorter than all before.
static void time_once(weft_world* world, uint32_t range, char* memory[2], size_t size,
                      double shortest[TIMES]) {
  size_t written = 0;
  double at[TIMES + 1];
  at[0] = tool_clock_ns();
  memcpy(memory[1], memory[0], size);
  at[1] = tool_clock_ns();
  tool_must(weft_world_save(world, memory[0], size, &written));
  at[2] = tool_clock_ns();
  tool_must(weft_world_restore(world, memory[0], written));
  at[3] = tool_clock_ns();
  tool_must(weft_world_save_range(world, 0, range, memory[1], size, &written));
  at[4] = tool_clock_ns();
  tool_must(weft_world_restore_range(world, memory[1], written));
  at[5] = tool_clock_ns();
  for (int k = 0; k < TIMES; ++k) {
    if (shortest[k] == 0.0 || at[k + 1] - at[k] < shortest[k]) shortest[k] = at[k + 1] - at[k];
  }
}

static void print_times(size_t size, uint32_t range, const double ns[TIMES]) {
  printf("%zu bytes: memcpy %.3f ms, save %.3f ms (%.2f), restore %.3f ms (%.2f)\n", size,
         1e-6 * ns[COPY], 1e-6 * ns[SAVE], ns[SAVE] / ns[COPY], 1e-6 * ns[RESTORE],
         ns[RESTORE] / ns[COPY]);
  printf("range of %u particles: save %.2f us, restore %.2f us\n", range, 1e-3 * ns[SAVE_RANGE],
         1e-3 * ns[RESTORE_RANGE]);
}

static int measure(const snapshot_settings* settings) {
  const uint32_t count = settings->size * settings->size;
  const uint32_t range = settings->range < count ? settings->range : count;
  tool_begin_indivisible();
  weft_world* world = new_sheet(settings);
  tool_end_indivisible();
  size_t size = 0, range_size = 0;
  double shortest[TIMES] = {0.0};
  tool_must(weft_world_get_snapshot_size(world, &size));
  tool_must(weft_world_get_range_size(world, 0, range, &range_size));
  if (range_size > size) size = range_size;
  // touched, so that no call pays for page faults
  char* memory[2] = {malloc(size), malloc(size)};
  for (int k = 0; k < 2 && memory[0] && memory[1]; ++k) memset(memory[k], 1, size);
  const bool has_memory = memory[0] && memory[1];
  for (uint32_t r = 0; has_memory && r < settings->repeats && !tool_interrupted(); ++r) {
    time_once(world, range, memory, size, shortest);
  }
  free(memory[0]);
  free(memory[1]);
  weft_world_destroy(&world);
  if (tool_interrupted()) return tool_end_interrupted();
  if (has_memory) {
    print_times(size, range, shortest);
    return TOOL_EXIT_OK;
  }
  tool_message why;
  tool_because(&why, "no memory for %zu bytes", size);
  return tool_fail(&why);
}

int command_snapshot(int argc, char** argv) {
  static const tool_syntax syntax = {
      "snapshot",
      "Usage: weft-bench snapshot [OPTION...]\n",
      "Saves and restores a hung sheet, and a range of its particles, and prints the shortest "
      "times with memcpy() of the same bytes, taken in turn.",
      options,
      notes,
      NULL};
  snapshot_settings settings = {.size = 1000, .range = 400, .repeats = 10};
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  tool_catch_interrupt();
  return measure(&settings);
}
