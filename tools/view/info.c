/* Facts about the scene, as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/body_settings.h"
#include "view/parts.h"

/* Rows of settings sent, at most. */
enum { MOST_ROWS = 100 };

static bool put_name(view_bytes* out, const char* name) {
  return view_print_text(out, name) && view_print(out, ":");
}

/* JSON has no word for numbers that are not finite. */
static bool put_number(view_bytes* out, double value) {
  return isfinite(value) ? view_print(out, "%.9g", value) : view_print(out, "null");
}

static bool put_numbers(view_bytes* out, const char* name, const float* values, int count) {
  bool ok = view_print(out, ",") && put_name(out, name) && view_print(out, "[");
  for (int i = 0; i < count && ok; ++i) {
    ok = (i == 0 || view_print(out, ",")) && put_number(out, (double)values[i]);
  }
  return ok && view_print(out, "]");
}

static bool put_texts(view_bytes* out, const char* name, const char* const* texts) {
  bool ok = view_print(out, ",") && put_name(out, name) && view_print(out, "[");
  for (int i = 0; texts && texts[i] && ok; ++i) {
    ok = (i == 0 || view_print(out, ",")) && view_print_text(out, texts[i]);
  }
  return ok && view_print(out, "]");
}

static bool put_value(view_bytes* out, const sim_values* values, const sim_param* param, size_t i) {
  const double value = values->items[i];
  if (param->kind == SIM_TEXT) return view_print_text(out, values->texts[(size_t)value]);
  if (param->kind == SIM_CHOICE) return view_print_text(out, param->choices[(size_t)value]);
  if (param->kind == SIM_FLAG) return view_print(out, value != 0.0 ? "true" : "false");
  return put_number(out, value);
}

static bool put_parameters(view_bytes* out, const sim_values* values) {
  static const char* const kinds[] = {"number", "count", "choice", "flag", "text"};
  bool ok = view_print(out, ",\"parameters\":[");
  for (size_t i = 0; ok && values->params && values->params[i].name; ++i) {
    const sim_param* param = &values->params[i];
    ok = view_print(out, i > 0 ? ",{" : "{") && put_name(out, "name") &&
         view_print_text(out, param->name) && view_print(out, ",\"summary\":") &&
         view_print_text(out, param->summary) &&
         view_print(out, ",\"kind\":\"%s\",\"value\":", kinds[param->kind]) &&
         put_value(out, values, param, i);
    if (ok && (param->kind == SIM_NUMBER || param->kind == SIM_COUNT)) {
      ok = view_print(out, ",\"lower\":%.9g,\"upper\":%.9g", param->lower, param->upper);
    }
    if (ok && param->kind == SIM_CHOICE) ok = put_texts(out, "choices", param->choices);
    ok = ok && view_print(out, "}");
  }
  return ok && view_print(out, "]");
}

static bool put_scene(view_bytes* out, const sim_scene* scene, bool is_first) {
  return view_print(out, is_first ? "{" : ",{") && put_name(out, "name") &&
         view_print_text(out, scene->name) && view_print(out, ",\"summary\":") &&
         view_print_text(out, scene->summary) && view_print(out, "}");
}

/* Scenes of the viewer first, in the order of the number keys. */
static bool put_scenes(view_bytes* out) {
  tool_message unused;
  bool ok = view_print(out, ",\"scenes\":[");
  for (const view_scene* scene = view_scenes; ok && scene->name; ++scene) {
    ok = put_scene(out, sim_find_scene(scene->name, &unused), scene == view_scenes);
  }
  for (size_t i = 0; i < sim_scene_count && ok; ++i) {
    if (!view_find_scene(sim_scene_name(i))->name) ok = put_scene(out, sim_scene_at(i), false);
  }
  return ok && view_print(out, "]");
}

static bool put_world(view_bytes* out, const view_session* session) {
  const weft_world* world = sim_run_world(session->run);
  const char* stages[WEFT_STAGE_COUNT + 1] = {NULL};
  weft_world_stats stats;
  weft_world_def def;
  weft_bounds_def bounds;
  bool is_set = false;
  tool_must(weft_world_get_stats(world, &stats));
  tool_must(weft_world_get_def(world, &def));
  tool_must(weft_world_get_bounds(world, &bounds, &is_set));
  for (int i = 0; i < WEFT_STAGE_COUNT; ++i) stages[i] = weft_stage_name((weft_stage)i);
  const float surface[2] = {bounds.surface.restitution, bounds.surface.dynamic_friction};
  return view_print(out, ",\"version\":\"%s\",\"threads\":%u,\"isa\":\"%s\",\"rate\":%.9g",
                    weft_version(), stats.worker_count, weft_isa_name(stats.isa),
                    1e9 / (double)def.step_ns) &&
         view_print(out, ",\"substeps\":%u,\"iterations\":%u", stats.substeps, stats.iterations) &&
         put_numbers(out, "gravity", def.gravity, 3) &&
         put_numbers(out, "damping", &def.damping, 1) &&
         put_numbers(out, "surface", surface, is_set ? 2 : 0) && put_texts(out, "stages", stages);
}

static bool put_row(view_bytes* out, const view_session* session, const sim_settings_row* row) {
  const weft_body_settings* body = &row->settings;
  const uint32_t color = session->model.colors[body->first_particle];
  return view_print(out, "{\"bodies\":%u,\"particles\":%u,\"substeps\":%u,\"sweeps\":%u",
                    row->bodies, body->particle_count, body->substeps, body->iterations) &&
         view_print(out, ",\"levels\":%u,\"attachments\":%u,\"bends\":%u,\"sag\":%.3g",
                    body->coarse_iterations, body->attachments, body->bend_count,
                    (double)body->sag) &&
         view_print(out, ",\"color\":\"#%06x\"", color) && view_print(out, ",\"why\":") &&
         view_print_text(out, weft_settings_reason_text(body->reason)) && view_print(out, "}");
}

/* Settings of bodies, which a world keeps. */
static bool put_settings(view_bytes* out, const view_session* session) {
  const weft_world* world = sim_run_world(session->run);
  weft_world_stats stats;
  uint32_t count = 0;
  sim_settings_row* rows = sim_list_settings(world, &count);
  tool_must(weft_world_get_stats(world, &stats));
  bool ok = rows && view_print(out, ",\"swept_bends\":%u,\"settings_rows\":%u",
                               stats.swept_bend_count, count);
  ok = ok && view_print(out, ",\"settings\":[");
  for (uint32_t i = 0; i < count && i < MOST_ROWS && ok; ++i) {
    ok = (i == 0 || view_print(out, ",")) && put_row(out, session, &rows[i]);
  }
  free(rows);
  return ok && view_print(out, "]");
}

static bool put_box(view_bytes* out, const view_session* session) {
  const float* lower = session->scene->lower;
  const float* upper = session->scene->upper;
  const bool is_given = upper[0] > lower[0];
  return view_print(out, ",\"framed\":%s", is_given ? "true" : "false") &&
         put_numbers(out, "lower", is_given ? lower : session->model.lower, 3) &&
         put_numbers(out, "upper", is_given ? upper : session->model.upper, 3);
}

static bool put_input(view_bytes* out, const view_session* session) {
  tool_message unused;
  sim_shown shown[SIM_MOST_SHOWN];
  const char* curves[SIM_MOST_SHOWN + 1] = {NULL};
  const uint32_t count = sim_run_show(session->run, shown);
  for (uint32_t i = 0; i < count; ++i) curves[i] = shown[i].name;
  const sim_scene* scene = sim_find_scene(session->setup.name, &unused);
  return put_texts(out, "curves", curves) && put_texts(out, "keys", scene ? scene->keys : NULL) &&
         view_print(out, ",\"point\":%s,\"follow\":%s",
                    scene && scene->has_point ? "true" : "false",
                    session->scene->is_followed ? "true" : "false") &&
         put_texts(out, "overlays", view_overlays);
}

bool view_write_info(view_session* session, view_bytes* out) {
  out->size = 0;
  if (session->is_dead) return false;
  return view_print(out, "{\"kind\":\"info\",\"generation\":%u,\"scene\":", session->generation) &&
         view_print_text(out, session->setup.name) && view_print(out, ",\"hint\":") &&
         view_print_text(out, session->scene->hint ? session->scene->hint : "") &&
         put_world(out, session) && put_settings(out, session) && put_box(out, session) &&
         put_input(out, session) && put_parameters(out, sim_run_values(session->run)) &&
         put_scenes(out) && view_print(out, "}");
}
