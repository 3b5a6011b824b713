#include "plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char bench_plan_help[] =
    "Scenes (in the order given):\n"
    "  --scene sheet        a hanging square cloth (default)\n"
    "  --size N[,N...]      particles along each side of the sheet, 2 to 8192; may be given\n"
    "                       several times\n"
    "  --count N            copies of each sheet in one world, side by side and not linked to\n"
    "                       each other, 1 to 100000 (default 1)\n"
    "  --mesh FILE          a triangle mesh, .obj, .ply, .gltf or .glb; may be given\n"
    "                       several times\n"
    "  --pin RULE           pinned particles: none, top-row (sheets only), or SIDE:SHARE,\n"
    "                       a share from 0 to 1 of the extent from one side of top, bottom (y),\n"
    "                       right, left (x), front, back (z);\n"
    "                       default top-row for sheets, top:0.02 for meshes\n";

const char bench_bind_help[] =
    "  --bind RULE          CPUs of the threads: none, wherever the system puts them (default);\n"
    "                       compact, side by side, siblings of a core first; scatter, in turns\n"
    "                       on packages, caches, cores, and siblings last\n";

bench_plan bench_default_plan(const char* sizes) {
  return (bench_plan){.default_sizes = sizes, .count = 1, .iterations = 10};
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

static bool add_sheets(bench_plan* plan, const char* value, tool_message* why) {
  const tool_range range = {BENCH_SHEET_SMALLEST, BENCH_SHEET_LARGEST};
  tool_count_list sizes = {.count = 0};
  if (!tool_parse_counts("--size", value, range, &sizes, why)) return false;
  for (uint32_t i = 0; i < sizes.count; ++i) {
    if (!add_scene(plan, (bench_scene_request){.sheet_size = sizes.items[i]}, why)) return false;
  }
  return true;
}

/* Most of what can be wrong with a mesh is found when it is loaded; that it is not there at all
 * should not have to wait for the scenes before it. */
static bool add_mesh(bench_plan* plan, const char* path, tool_message* why) {
  if (access(path, R_OK) != 0) return tool_because(why, "--mesh: %s: %s", path, strerror(errno));
  return add_scene(plan, (bench_scene_request){.mesh_path = path, .count = 1}, why);
}

bool bench_plan_take(bench_plan* plan, int option, const char* value, tool_message* why) {
  switch (option) {
    case BENCH_PLAN_SCENE:
      return strcmp(value, "sheet") == 0 ||
             tool_because(why, "--scene: '%s' is not 'sheet'", value);
    case BENCH_PLAN_SIZE:
      return add_sheets(plan, value, why);
    case BENCH_PLAN_MESH:
      return add_mesh(plan, value, why);
    case BENCH_PLAN_PIN:
      return bench_parse_pin("--pin", value, &plan->pin, why);
    case BENCH_PLAN_COUNT:
      return tool_parse_count("--count", value, (tool_range){1, BENCH_MOST_SHEETS}, &plan->count,
                              why);
    case BENCH_PLAN_THREADS:
      return tool_parse_counts("--threads", value, (tool_range){1, WEFT_MAX_WORKERS},
                               &plan->threads, why);
    case BENCH_PLAN_BIND:
      return bench_parse_binding("--bind", value, &plan->binding.kind, why);
    case BENCH_PLAN_ISA:
      return tool_parse_isas("--isa", value, &plan->isas, why);
    default:
      return tool_parse_count("--iterations", value, (tool_range){1, 10000}, &plan->iterations,
                              why);
  }
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

static bool give_pin_rule(bench_plan* plan, tool_message* why) {
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    bench_scene_request* scene = &plan->scenes[i];
    if (scene->mesh_path && plan->pin.kind == BENCH_PIN_TOP_ROW) {
      return tool_because(why, "--pin: 'top-row' is for sheets, and %s is a mesh",
                          scene->mesh_path);
    }
    scene->pin = plan->pin;
  }
  return true;
}

/* Scenes that the library would reject are rejected here, before they are described. */
static bool give_count(bench_plan* plan, tool_message* why) {
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    bench_scene_request* scene = &plan->scenes[i];
    if (scene->mesh_path && plan->count > 1) {
      return tool_because(why, "--count: copies are of sheets, and %s is a mesh", scene->mesh_path);
    }
    const uint64_t particles = (uint64_t)plan->count * scene->sheet_size * scene->sheet_size;
    if (particles > WEFT_MAX_PARTICLES) {
      return tool_because(why, "--count: %u sheets of size %u have more than %u particles",
                          plan->count, scene->sheet_size, WEFT_MAX_PARTICLES);
    }
    scene->count = plan->count;
  }
  return true;
}

bool bench_plan_complete(bench_plan* plan, const tool_count_list* threads,
                         const tool_isa_list* isas, tool_message* why) {
  if (plan->scene_count == 0 && !add_sheets(plan, plan->default_sizes, why)) return false;
  if (!give_pin_rule(plan, why) || !give_count(plan, why)) return false;
  if (plan->threads.count == 0) plan->threads = *threads;
  if (plan->isas.count == 0) plan->isas = *isas;
  drop_unsupported(&plan->isas);
  if (plan->isas.count > 0) return true;
  return tool_because(why, "--isa: none of the given instruction sets can run here");
}

bool bench_plan_bind(bench_plan* plan, bench_machine* machine, tool_message* why) {
  machine->bind = bench_binding_name(plan->binding.kind);
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
