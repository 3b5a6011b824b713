/* weft-bench hash: the state hash of every instruction set and number of threads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "common/command_line.h"
#include "common/interrupt.h"
#include "mpirun.h"
#include "plan.h"
#include "solver.h"

typedef struct hash_settings {
  bench_plan plan;
  tool_count_list ranks; /* empty: threads of this process */
  const char* launcher;
  bench_solver solver;
  uint32_t steps;
} hash_settings;

enum {
  OPTION_STEPS = TOOL_OPTION_OWN,
  OPTION_RANKS,
  OPTION_MPIRUN,
};

static const struct option options[] = {
    BENCH_PLAN_OPTIONS,
    {"steps", required_argument, NULL, OPTION_STEPS},
    BENCH_SOLVER_OPTIONS,
    {"ranks", required_argument, NULL, OPTION_RANKS},
    {"mpirun", required_argument, NULL, OPTION_MPIRUN},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench hash [--size N] [OPTION...]\n"
    "       weft-bench hash --mesh FILE [OPTION...]\n"
    "\n"
    "Steps one scene with each instruction set and number of threads, and prints a line for each:\n"
    "instruction set, threads at work, hash of all positions and previous positions. The default\n"
    "scene is a sheet of 257 x 257. With --ranks the number of ranks comes before the threads.\n"
    "\n",
    bench_plan_help,
    "\n"
    "Runs:\n"
    "  --threads N[,N...]   (default 1 and all cores)\n"
    "  --isa NAME[,NAME...] auto, scalar, sse2, avx2, avx512, neon, simd128, or all of these\n"
    "                       (default); those that cannot run here are skipped\n"
    "  --iterations K       sweeps over all links a step (default 10)\n",
    bench_solver_help,
    "  --steps S            steps before the hash is taken (default 60)\n"
    "  --ranks N[,N...]     processes under mpirun, 1 to 65536, of --threads each, which compute "
    "the\n"
    "                       scene together; needs a build with WEFT_BUILD_MPI\n"
    "  --mpirun COMMAND     that starts ranks, with its options (default mpirun)\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 all hashes are equal, 1 they are not, 2 error, 130 Ctrl-C.\n",
    NULL,
};

static bool take(void* target, int option, const char* value, tool_message* why) {
  hash_settings* settings = target;
  switch (option) {
    case OPTION_STEPS:
      return tool_parse_count("--steps", value, (tool_range){0, 1000000}, &settings->steps, why);
    case BENCH_SOLVER_COARSE:
    case BENCH_SOLVER_SUBSTEPS:
    case BENCH_SOLVER_ATTACHMENTS:
      return bench_solver_take(&settings->solver, option, value, why);
    case OPTION_RANKS:
      return tool_parse_counts("--ranks", value, (tool_range){1, WEFT_MAX_RANKS}, &settings->ranks,
                               why);
    case OPTION_MPIRUN:
      settings->launcher = value;
      return true;
    default:
      return bench_plan_take(&settings->plan, option, value, why);
  }
}

/* Every instruction set that can run here: one that was not asked for by name is not missed. */
static tool_isa_list supported_isas(void) {
  tool_isa_list isas = {.count = 0};
  for (int isa = WEFT_ISA_SCALAR; isa <= WEFT_ISA_SIMD128; ++isa) {
    if (weft_isa_supported((weft_isa)isa)) isas.items[isas.count++] = (weft_isa)isa;
  }
  return isas;
}

static bool complete(hash_settings* settings, tool_message* why) {
  const bench_machine machine = bench_describe_machine();
  const tool_count_list threads = bench_default_threads(&machine);
  const tool_isa_list isas = supported_isas();
  if (!bench_plan_complete(&settings->plan, &threads, &isas, why)) return false;
  if (settings->plan.scene_count > 1) {
    return tool_because(why, "hash takes one scene, and %u are given", settings->plan.scene_count);
  }
  if (settings->ranks.count > 0 && settings->steps == 0) {
    return tool_because(why, "--steps: 0 with --ranks");
  }
  const bench_scene_request* scene = &settings->plan.scenes[0];
  if (settings->ranks.count > 0 &&
      (scene->count != 1 || scene->integrator != NULL || scene->pin.kind != BENCH_PIN_DEFAULT)) {
    return tool_because(why, "--ranks: not with --count, --pin or springs");
  }
  return bench_plan_fits(&settings->plan, BENCH_WORLD_PARTICLE_BYTES, &machine, why);
}

/* Steps until done or interrupted. */
static void step_world(weft_world* world, uint32_t step_count) {
  for (uint32_t i = 0; i < step_count && !tool_interrupted(); ++i) weft_world_step(world, 1);
}

/* Sets the instruction set that `auto` stands for, and the threads that are at work. */
static bool hash_world(const hash_settings* settings, const weft_scene* scene, uint32_t* threads,
                       weft_isa* isa, uint64_t* hash, tool_message* why) {
  weft_world* world = NULL;
  weft_world_def def = weft_plain_world_def();
  def.iterations = settings->plan.iterations;
  bench_solver_set(&settings->solver, &def);
  def.worker_count = *threads;
  def.isa = *isa;
  if (!bench_make_world(&def, scene, &world, why)) return false;
  weft_world_stats stats = {0};
  const weft_result read = weft_world_get_stats(world, &stats);
  step_world(world, settings->steps);
  *isa = stats.isa;
  *threads = stats.worker_count;
  *hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return bench_check_weft(why, "weft_world_get_stats", read);
}

/* Hash by so many ranks under mpirun. */
static bool hash_ranks(const hash_settings* settings, uint32_t ranks, uint32_t threads,
                       weft_isa isa, uint64_t* hash, tool_message* why) {
  const bench_scene_request* scene = &settings->plan.scenes[0];
  char name[1024], arguments[2048];
  const char* text;
  json_t* answer = NULL;
  if (scene->mesh_path != NULL) snprintf(name, sizeof name, "--mesh '%s'", scene->mesh_path);
  if (scene->mesh_path == NULL) snprintf(name, sizeof name, "--size %u", scene->sheet_size);
  snprintf(arguments, sizeof arguments,
           "steps %s --threads %u --isa %s --iterations %u --coarse %u --substeps %u "
           "--attachments %u --steps %u --warmup 0",
           name, threads, weft_isa_name(isa), settings->plan.iterations,
           settings->solver.coarse_iterations, settings->solver.substeps,
           settings->solver.attachments, settings->steps);
  if (!bench_mpirun(settings->launcher, ranks, arguments, &answer, why)) return false;
  const bool ok = json_unpack(answer, "{s:s}", "state_hash", &text) == 0;
  if (ok) *hash = strtoull(text, NULL, 16);
  json_decref(answer);
  return ok || tool_because(why, "weft-bench-mpi has not printed a hash");
}

/* Prints the lines of all ranks, and compares likewise. */
static bool hash_all_ranks(const hash_settings* settings, bool* differ, tool_message* why) {
  const bench_plan* plan = &settings->plan;
  const uint32_t threads = plan->threads.count;
  const uint32_t runs = plan->isas.count * settings->ranks.count * threads;
  uint64_t first = 0, hash = 0;
  *differ = false;
  for (uint32_t i = 0; i < runs && !tool_interrupted(); ++i) {
    const weft_isa isa = plan->isas.items[i / (settings->ranks.count * threads)];
    const uint32_t ranks = settings->ranks.items[i / threads % settings->ranks.count];
    const uint32_t count = plan->threads.items[i % threads];
    if (!hash_ranks(settings, ranks, count, isa, &hash, why)) return false;
    printf("%-6s %3u %3u %016" PRIx64 "\n", weft_isa_name(isa), ranks, count, hash);
    fflush(stdout);
    if (i == 0) first = hash;
    if (hash != first) *differ = true;
  }
  return true;
}

/* Prints the lines; `differ` says whether any two are unequal. */
static bool hash_all(const hash_settings* settings, const weft_scene* scene, bool* differ,
                     tool_message* why) {
  const bench_plan* plan = &settings->plan;
  uint64_t first = 0, hash = 0;
  *differ = false;
  for (uint32_t i = 0; i < plan->isas.count; ++i) {
    for (uint32_t t = 0; t < plan->threads.count; ++t) {
      weft_isa isa = plan->isas.items[i];
      uint32_t threads = plan->threads.items[t];
      if (!hash_world(settings, scene, &threads, &isa, &hash, why)) return false;
      if (tool_interrupted()) return true;
      printf("%-6s %3u %016" PRIx64 "\n", weft_isa_name(isa), threads, hash);
      fflush(stdout);
      if (i == 0 && t == 0) first = hash;
      if (hash != first) *differ = true;
    }
  }
  return true;
}

int command_hash(int argc, char** argv) {
  const tool_syntax syntax = {"hash", help, options, take, NULL};
  hash_settings settings = {
      .plan = bench_default_plan("257"), .steps = 60, .solver = {.substeps = 1}};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  bench_scene scene;
  if (!complete(&settings, &why)) return tool_fail(&why);
  tool_catch_interrupt();
  if (!bench_scene_make(&settings.plan.scenes[0], &scene, &why)) return tool_fail(&why);
  bool differ;
  const bool ok = settings.ranks.count > 0 ? hash_all_ranks(&settings, &differ, &why)
                                           : hash_all(&settings, scene.description, &differ, &why);
  bench_scene_free(&scene);
  if (!ok) return tool_fail(&why);
  if (tool_interrupted()) {
    fputs("weft-bench: interrupted\n", stderr);
    return TOOL_EXIT_INTERRUPTED;
  }
  return differ ? BENCH_EXIT_DIFFER : TOOL_EXIT_OK;
}
