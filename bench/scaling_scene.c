#include <string.h>

#include "contact_run.h"
#include "scaling.h"

// particles along a side of sheets with contacts, and particles of a heap, unless --size says so
enum { USUAL_SHEET = 257, USUAL_HEAP = 8000, USUAL_CLOTH = 512 };

bool bench_scaling_take_scene(bench_scaling_request* request, const char* name, tool_message* why) {
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

bool bench_scaling_complete_scene(const bench_plan* plan, bench_scaling_request* request,
                                  bool warmup_given, tool_message* why) {
  const bool is_heap = request->has_contacts && tool_contact_is_heap(request->kind);
  if (request->size == 0) {
    request->size = is_heap ? USUAL_HEAP : request->has_contacts ? USUAL_SHEET : USUAL_CLOTH;
  }
  request->cloth = plan->scenes[0];
  request->iterations = plan->iterations;
  request->isa = plan->isas.items[0];
  request->binding = &plan->binding;
  if (!warmup_given) {
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
  return request->cloth.mesh_path != NULL ? "mesh" : "sheet";
}

bool bench_scaling_describe(const bench_scaling_request* request, uint32_t size,
                            weft_scene** description, weft_world_def* def, tool_message* why) {
  if (request->has_contacts) {
    const tool_contact_scene scene = tool_usual_contact_scene(request->kind, size);
    return bench_check_weft(why, "weft_scene_create", weft_scene_create(description)) &&
           tool_describe_contacts(&scene, *description, def, why);
  }
  bench_scene_request cloth = request->cloth;
  if (cloth.mesh_path == NULL) cloth.sheet_size = size;
  bench_scene scene;
  if (!bench_scene_make(&cloth, &scene, why)) return false;
  *description = scene.description;
  scene.description = NULL;
  bench_scene_free(&scene);
  def->iterations = request->iterations;
  return true;
}
