#include "plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/trace_file.h"

bench_plan bench_default_plan(const char* sizes) {
  return (bench_plan){.output = {.trace_steps = TOOL_TRACE_STEPS},
                      .default_sizes = sizes,
                      .count = 1,
                      .integrator = -1,
                      .solver = {.substeps = 1}};
}

tool_count_list bench_default_threads(const bench_machine* machine) {
  const uint32_t cores =
      machine->cores < machine->available_cpus ? machine->cores : machine->available_cpus;
  const uint32_t most = cores < WEFT_MAX_WORKERS ? cores : WEFT_MAX_WORKERS;
  return (tool_count_list){.items = {1, most}, .count = most > 1 ? 2 : 1};
}

static bool add_scene(bench_plan* plan, bench_scene_request request, tool_message* why) {
  if (plan->scene_count == TOOL_MAX_LIST) {
    return tool_because(why, "more than %d scenes", TOOL_MAX_LIST);
  }
  plan->scenes[plan->scene_count++] = request;
  return true;
}

bool bench_plan_add_sheets(void* plan, const char* value, tool_message* why) {
  const tool_range range = {BENCH_SHEET_SMALLEST, BENCH_SHEET_LARGEST};
  tool_count_list sizes = {.count = 0};
  if (!tool_parse_counts("--size", value, range, &sizes, why)) return false;
  for (uint32_t i = 0; i < sizes.count; ++i) {
    if (!add_scene(plan, (bench_scene_request){.sheet_size = sizes.items[i]}, why)) return false;
  }
  return true;
}

/* Refuses a missing mesh before other scenes run; other faults show when it is loaded. */
bool bench_plan_add_mesh(void* plan, const char* path, tool_message* why) {
  if (access(path, R_OK) != 0) return tool_because(why, "--mesh: %s: %s", path, strerror(errno));
  return add_scene(plan, (bench_scene_request){.mesh_path = path, .count = 1}, why);
}

static void drop_unsupported(tool_isa_list* isas) {
  uint32_t kept_count = 0;
  for (uint32_t i = 0; i < isas->count; ++i) {
    const weft_isa isa = isas->items[i];
    if (weft_isa_supported(isa)) {
      isas->items[kept_count++] = isa;
    } else {
      fprintf(stderr, "weft-bench: skipping %s: this machine or this build does not have it\n",
              weft_isa_name(isa));
    }
  }
  isas->count = kept_count;
}

/* Gives all scenes the rule of pins and the number of copies, and refuses requests that the library
 * would refuse. */
static bool complete_scenes(bench_plan* plan, tool_message* why) {
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    bench_scene_request* scene = &plan->scenes[i];
    const uint64_t particles = (uint64_t)plan->count * scene->sheet_size * scene->sheet_size;
    if (scene->mesh_path && plan->pin.kind == BENCH_PIN_TOP_ROW) {
      return tool_because(why, "--pin: 'top-row' is for sheets, and %s is a mesh",
                          scene->mesh_path);
    }
    if (scene->mesh_path && plan->count > 1) {
      return tool_because(why, "--count: copies are of sheets, and %s is a mesh", scene->mesh_path);
    }
    if (particles > WEFT_MAX_PARTICLES) {
      return tool_because(why, "--count: %u sheets of size %u have more than %u particles",
                          plan->count, scene->sheet_size, WEFT_MAX_PARTICLES);
    }
    scene->pin = plan->pin;
    scene->count = plan->count;
  }
  return true;
}

bool bench_plan_complete(bench_plan* plan, const tool_count_list* threads,
                         const tool_isa_list* isas, tool_message* why) {
  if (plan->scene_count == 0 && !bench_plan_add_sheets(plan, plan->default_sizes, why))
    return false;
  if (!complete_scenes(plan, why)) return false;
  if (plan->threads.count == 0) plan->threads = *threads;
  if (plan->isas.count == 0) plan->isas = isas ? *isas : (tool_isa_list){{WEFT_ISA_AUTO}, 1};
  if (plan->iterations == 0) plan->iterations = 10;
  drop_unsupported(&plan->isas);
  if (plan->isas.count > 0) return true;
  return tool_because(why, "--isa: none of the given instruction sets can run here");
}

bool bench_plan_has_one_scene(const bench_plan* plan, const char* command, tool_message* why) {
  return plan->scene_count == 1 ||
         tool_because(why, "%s takes one scene, and %u are given", command, plan->scene_count);
}

bool bench_plan_has_one_isa(bench_plan* plan, const char* command, tool_message* why) {
  if (plan->isas.count == 0) plan->isas = (tool_isa_list){{WEFT_ISA_AUTO}, 1};
  const weft_isa isa = plan->isas.items[0];
  if (plan->isas.count > 1) return tool_because(why, "--isa: %s takes one", command);
  return weft_isa_supported(isa) ||
         tool_because(why, "--isa: %s cannot run here", weft_isa_name(isa));
}

bool bench_plan_has_contacts(const bench_plan* plan, bench_contact_kind* kind) {
  *kind = (bench_contact_kind)(plan->scene > 0 ? plan->scene - 1 : 0);
  return plan->scene > 0;
}

void bench_plan_set_solver(const bench_plan* plan, weft_world_def* def) {
  def->solver.iterations = plan->iterations;
  def->solver.coarse_iterations = plan->solver.coarse_iterations;
  def->solver.substeps = plan->solver.substeps;
  def->solver.attachments = plan->solver.attachments;
}

bool bench_plan_bind(bench_plan* plan, bench_machine* machine, tool_message* why) {
  machine->bind = bench_binding_names[plan->binding.kind];
  return bench_binding_complete(&plan->binding, &machine->topology, why);
}

static bool refuse_size(const bench_scene_request* scene, double needed_gib, double memory_gib,
                        tool_message* why) {
  if (scene->count > 1) {
    return tool_because(
        why, "--count: %u sheets of size %u need about %.1f GiB, and this machine has %.1f",
        scene->count, scene->sheet_size, needed_gib, memory_gib);
  }
  return tool_because(why, "--size: %u needs about %.1f GiB, and this machine has %.1f",
                      scene->sheet_size, needed_gib, memory_gib);
}

bool bench_plan_fits(const bench_plan* plan, double particle_bytes, const bench_machine* machine,
                     tool_message* why) {
  const double memory_bytes = (double)machine->memory_bytes, gib = 1u << 30;
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    const bench_scene_request* scene = &plan->scenes[i];
    const double size = (double)scene->sheet_size;  // 0 for a mesh
    const double needed = (double)scene->count * size * size * particle_bytes;
    if (memory_bytes > 0.0 && needed > memory_bytes) {
      return refuse_size(scene, needed / gib, memory_bytes / gib, why);
    }
  }
  return true;
}
