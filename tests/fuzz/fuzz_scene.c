/* Scene files: each is refused with a message, or makes a run; small runs are stepped a few times.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "fuzz/input_file.h"
#include "sim/run.h"

enum { MOST_STEPS = 4 };

// largest cost of a run that is stepped: particles and links times sweeps
static const uint64_t most_work = 100000;

static uint64_t work_of(const sim_run* run) {
  weft_world_stats stats;
  if (weft_world_get_stats(sim_run_world(run), &stats).error != WEFT_OK) abort();
  const uint64_t sweeps = (uint64_t)stats.iterations + stats.coarse_iterations + 8;
  return (uint64_t)(stats.particle_count + stats.link_count) * sweeps * stats.substeps;
}

static void require_message(const tool_message* why) {
  if (why->text[0] != '\0') return;
  fputs("fuzz: a scene file fails without a message\n", stderr);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char* path = write_input(data, size, "json");
  const sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  tool_message why = {{0}};
  if (sim_run_create(path, &settings, &run, &why) != SIM_OK) {
    require_message(&why);
    return 0;
  }
  bool ok = true;
  for (uint64_t i = 0; ok && work_of(run) < most_work && i < MOST_STEPS; ++i) {
    ok = sim_run_step(run, &why);
  }
  sim_facts facts;
  if (!ok || !sim_run_facts(run, &facts, &why)) require_message(&why);
  sim_run_destroy(&run);
  return 0;
}
