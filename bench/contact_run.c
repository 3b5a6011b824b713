#include "contact_run.h"

#include "common/clock.h"
#include "scenes.h"

static bool create_world(const bench_contact_request* request, bench_contact_run* run,
                         tool_message* why) {
  weft_scene* description = NULL;
  if (!bench_check_weft(why, "weft_scene_create", weft_scene_create(&description))) return false;
  weft_world_def def = weft_plain_world_def();
  def.worker_count = request->threads;
  def.isa = request->isa;
  def.profile = true;
  def.span_capacity = request->span_capacity;
  if (request->binding != NULL) def.worker_cpus = bench_binding_cpus(request->binding);
  bool ok = tool_describe_contacts(&request->scene, description, &def, why);
  if (request->iterations > 0) def.iterations = request->iterations;
  if (request->substeps > 0) def.substeps = request->substeps;
  run->substeps = def.substeps;
  run->iterations = def.iterations;
  ok = ok && bench_make_world(&def, description, &run->world, why);
  weft_scene_destroy(&description);
  return ok && tool_start_contacts(&request->scene, run->world, request->with_contacts, why);
}

bool bench_contact_create(const bench_contact_request* request, size_t sample_count,
                          bench_contact_run* run, tool_message* why) {
  run->request = *request;
  if (!bench_samples_create(&run->step_ms, sample_count) ||
      !bench_samples_create(&run->contact_ms, sample_count) ||
      !bench_samples_create(&run->cpu_ms, sample_count)) {
    return tool_because(why, "no memory for %zu samples", sample_count);
  }
  const double start_ns = tool_clock_ns();
  if (!create_world(request, run, why)) return false;
  run->build_ms = 1e-6 * (tool_clock_ns() - start_ns);
  return true;
}

void bench_contact_free(bench_contact_run* run) {
  weft_world_destroy(&run->world);
  bench_samples_free(&run->step_ms);
  bench_samples_free(&run->contact_ms);
  bench_samples_free(&run->cpu_ms);
  *run = (bench_contact_run){0};
}

uint32_t bench_contact_warmup(tool_contact_kind kind) {
  return kind == TOOL_DROP_FOLDS ? 90 : 60;
}

void bench_contact_warm_up(bench_contact_run* run) {
  weft_world_step(run->world, 1);
  ++run->warmup;
}

static bool is_of_contacts(int stage) {
  return (stage >= WEFT_STAGE_BROAD_PHASE && stage <= WEFT_STAGE_CCD) || stage == WEFT_STAGE_EVENTS;
}

bool bench_contact_step(bench_contact_run* run, tool_message* why) {
  double before[WEFT_STAGE_COUNT], after[WEFT_STAGE_COUNT];
  const char* const call = "weft_world_get_profile";
  if (!bench_check_weft(why, call, weft_world_get_profile(run->world, before))) return false;
  const double start_cpu_ns = tool_processor_ns();
  const double start_ns = tool_clock_ns();
  weft_world_step(run->world, 1);
  const double step_ms = 1e-6 * (tool_clock_ns() - start_ns);
  const double cpu_ms = 1e-6 * (tool_processor_ns() - start_cpu_ns);
  if (!bench_check_weft(why, call, weft_world_get_profile(run->world, after))) return false;
  double contact_ms = 0.0;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    const double seconds = after[stage] - before[stage];
    run->seconds[stage] += seconds;
    if (is_of_contacts(stage)) contact_ms += 1e3 * seconds;
  }
  bench_samples_add(&run->step_ms, step_ms);
  bench_samples_add(&run->contact_ms, contact_ms);
  bench_samples_add(&run->cpu_ms, cpu_ms);
  return true;
}
