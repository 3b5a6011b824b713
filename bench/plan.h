/* Scenes, threads and instruction sets to run: options of all sub-commands that step worlds. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "binding.h"
#include "common/command_line.h"
#include "common/options.h"
#include "machine.h"
#include "scenes.h"

typedef struct bench_plan {
  bench_scene_request scenes[TOOL_MAX_LIST];
  uint32_t scene_count;
  bench_pin_rule pin;
  const char* default_sizes; /* sheets if no scene is given */
  uint32_t count;            /* copies of each sheet */
  tool_count_list threads;   /* empty = the command's default */
  tool_isa_list isas;        /* likewise */
  uint32_t iterations;
  bool springs; /* sheets of springs, by the integrator */
  weft_integrator integrator;
  bench_binding binding;
} bench_plan;

enum {
  BENCH_PLAN_SCENE = TOOL_OPTION_PLAN,
  BENCH_PLAN_PIN,
  BENCH_PLAN_COUNT,
  BENCH_PLAN_THREADS,
  BENCH_PLAN_ISA,
  BENCH_PLAN_ITERATIONS,
  BENCH_PLAN_BIND,
  BENCH_PLAN_SIZE = TOOL_OPTION_REPEATED, /* scenes come in the order given */
  BENCH_PLAN_MESH,
};

/* clang-format off */
#define BENCH_PLAN_OPTIONS                                        \
  {"scene", required_argument, NULL, BENCH_PLAN_SCENE},           \
  {"size", required_argument, NULL, BENCH_PLAN_SIZE},             \
  {"mesh", required_argument, NULL, BENCH_PLAN_MESH},             \
  {"pin", required_argument, NULL, BENCH_PLAN_PIN},               \
  {"count", required_argument, NULL, BENCH_PLAN_COUNT},           \
  {"threads", required_argument, NULL, BENCH_PLAN_THREADS},       \
  {"isa", required_argument, NULL, BENCH_PLAN_ISA},               \
  {"iterations", required_argument, NULL, BENCH_PLAN_ITERATIONS}

/* Of commands that bind threads: these call bench_plan_bind(). */
#define BENCH_BIND_OPTION {"bind", required_argument, NULL, BENCH_PLAN_BIND}
/* clang-format on */

/* The parts of a --help that are about scenes, and about BENCH_BIND_OPTION. */
extern const char bench_plan_help[];
extern const char bench_bind_help[];

bench_plan bench_default_plan(const char* sizes);

/* 1 and all cores, as far as a world can have that many. */
tool_count_list bench_default_threads(const bench_machine* machine);

/* Takes one of BENCH_PLAN_OPTIONS, or BENCH_BIND_OPTION. */
bool bench_plan_take(bench_plan* plan, int option, const char* value, tool_message* why);

/* Once all options are taken: checks that there is a scene, fills the empty lists with the given
 * ones, and drops, by name and on stderr, instruction sets that cannot run here. */
bool bench_plan_complete(bench_plan* plan, const tool_count_list* threads,
                         const tool_isa_list* isas, tool_message* why);

/* Completes the binding by the machine's topology, which has to outlive the plan. */
bool bench_plan_bind(bench_plan* plan, bench_machine* machine, tool_message* why);

/* Bytes a particle of a description and one world, measured at 2048 x 2048. */
#define BENCH_WORLD_PARTICLE_BYTES 170.0

/* False where all copies of a sheet, of so many bytes a particle, exceed the machine's memory.
 * Asking for it would end in the system killing some program, not in a failed allocation. */
bool bench_plan_fits(const bench_plan* plan, double particle_bytes, const bench_machine* machine,
                     tool_message* why);

#endif
