#include <string.h>

#include "contact_run.h"
#include "scaling.h"

// particles along a side of sheets with contacts, and particles of a heap, unless --size says so
enum { USUAL_SHEET = 257, USUAL_HEAP = 8000, USUAL_CLOTH = 512 };

const char bench_scaling_scene_help[] =
    "  --scene NAME         drape-sphere, drop-folds: sheets with contacts (size 257 unless\n"
    "                       --size says so); particles, discs, rectangles: a heap of --size\n"
    "                       bodies (8000)\n";

static bool take_scene(bench_scaling_request* request, const char* name, tool_message* why) {
  request->has_contacts = false;
  if (strcmp(name, "sheet") == 0) return true;
  for (int kind = 0; kind < TOOL_CONTACT_KINDS; ++kind) {
    if (strcmp(name, tool_contact_name((tool_contact_kind)kind)) != 0) continue;
    request->has_contacts = true;
    request->kind = (tool_contact_kind)kind;
    return true;
  }
  return tool_because(why, "--scene: '%s' is not one of sheet, " TOOL_CONTACT_NAMES, name);
}

bool bench_scaling_take(bench_scaling_request* request, bench_plan* plan, int option,
                        const char* value, tool_message* why) {
  switch (option) {
    case BENCH_SCALING_STEPS:
      return tool_parse_count("--steps", value, (tool_range){1, 100000}, &request->steps, why);
    case BENCH_SCALING_WARMUP:
      return tool_parse_count("--warmup", value, (tool_range){0, 100000}, &request->warmup, why);
    case BENCH_PLAN_SCENE:
      return take_scene(request, value, why);
    case BENCH_PLAN_SIZE:
      return tool_parse_count("--size", value, (tool_range){2, 1000000}, &request->size, why);
    default:
      return bench_plan_take(plan, option, value, why);
  }
}

bool bench_scaling_complete_scene(const bench_plan* plan, bench_scaling_request* request,
                                  tool_message* why) {
  const bool is_heap = request->has_contacts && tool_contact_is_heap(request->kind);
  if (request->size == 0) {
    request->size = is_heap ? USUAL_HEAP : request->has_contacts ? USUAL_SHEET : USUAL_CLOTH;
  }
  request->cloth = plan->scenes[0];
  request->iterations = plan->iterations;
  request->isa = plan->isas.items[0];
  request->binding = &plan->binding;
  if (request->warmup == BENCH_SCALING_USUAL_WARMUP) {
    request->warmup = request->has_contacts ? bench_contact_warmup(request->kind) : 10;
  }
  if (request->has_contacts && request->cloth.mesh_path != NULL) {
    return tool_because(why, "--mesh: a scene with contacts has no mesh");
  }
  if (!is_heap && request->size > BENCH_SHEET_LARGEST) {
    return tool_because(why, "--size: sheets have %d to %d particles along a side",
                        BENCH_SHEET_SMALLEST, BENCH_SHEET_LARGEST);
  }
  return true;
}

const char* bench_scaling_scene_name(const bench_scaling_request* request) {
  if (request->has_contacts) return tool_contact_name(request->kind);
  return request->cloth.mesh_path != NULL ? bench_mesh_name(request->cloth.mesh_path) : "sheet";
}

uint32_t bench_scaling_shown_size(const bench_scaling_request* request, uint32_t size,
                                  uint32_t particles) {
  return request->cloth.mesh_path != NULL ? particles : size;
}

static bool create_with_contacts(const bench_scaling_request* request, uint32_t size,
                                 weft_world_def* def, weft_world** world, tool_message* why) {
  const tool_contact_scene scene = tool_usual_contact_scene(request->kind, size);
  weft_scene* description = NULL;
  const bool ok = bench_check_weft(why, "weft_scene_create", weft_scene_create(&description)) &&
                  tool_describe_contacts(&scene, description, def, why) &&
                  bench_make_world(def, description, world, why) &&
                  tool_start_contacts(&scene, *world, true, why);
  weft_scene_destroy(&description);
  return ok;
}

bool bench_scaling_create_world(const bench_scaling_request* request, uint32_t size,
                                weft_world_def def, weft_world** world, tool_message* why) {
  def.isa = request->isa;
  if (request->has_contacts) return create_with_contacts(request, size, &def, world, why);
  bench_scene_request cloth = request->cloth;
  if (cloth.mesh_path == NULL) cloth.sheet_size = size;
  def.iterations = request->iterations;
  bench_scene scene;
  if (!bench_scene_make(&cloth, &scene, why)) return false;
  const bool ok = bench_make_world(&def, scene.description, world, why);
  bench_scene_free(&scene);
  return ok;
}
