/* weft-sim check: the bodies of a scene or mesh, and the contacts that suit their cloth. */
#include <stdio.h>
#include <stdlib.h>

#include "common/command_line.h"
#include "common/json_file.h"
#include "common/number.h"
#include "common/options.h"
#include "sim/body_check.h"
#include "sim/commands.h"
#include "sim/run.h"

enum { MOST_SETS = 64 };

typedef struct check_settings {
  const char* name;
  const char* sets[MOST_SETS];
  size_t set_count;
  double speed, radius;
  bool json;
} check_settings;

static bool add_set(void* target, const char* value, tool_message* why) {
  check_settings* settings = target;
  return tool_add_set(value, MOST_SETS, settings->sets, &settings->set_count, why);
}

#define AT(member) offsetof(check_settings, member)
static const tool_option options[] = {
    TOOL_RANGE(REAL, "speed", "V", AT(speed), 0, 1e6,
               "metres a second at which layers, or cloth and a body, approach (default 1)"),
    TOOL_RANGE(REAL, "radius", "R", AT(radius), 1e-6, 1e6,
               "metres of the thinnest sphere or limb that the cloth meets (default: none)"),
    TOOL_REPEATED_OPTION("set", "NAME=VALUE", 0, add_set,
                         "a parameter of the scene; may be repeated"),
    TOOL_OPTION(FLAG, "json", NULL, AT(json), "as JSON"),
    TOOL_OPTIONS_END,
};

static bool take_word(void* target, const char* word, tool_message* why) {
  check_settings* settings = target;
  return tool_take_word(&settings->name, word, why);
}

/* Contacts for the cloth of a row; *is_cloth is false for a body without faces. */
static bool suggest(const check_settings* settings, const sim_run* run, const sim_body_check* row,
                    weft_contact_suggestion* suggestion, bool* is_cloth, tool_message* why) {
  weft_collider_def limb = weft_default_collider_def();
  limb.radius = (float)settings->radius;
  *is_cloth = row->face_count > 0;
  return !*is_cloth ||
         sim_check(weft_suggest_contact(sim_run_description(run), &row->range,
                                        settings->radius > 0.0 ? &limb : NULL,
                                        (float)settings->speed, sim_run_def(run), suggestion),
                   why);
}

// ---- text ----

static void print_fault(uint32_t count, const char* noun, const char* which) {
  if (count > 0) printf("  fault       %u %s%s %s\n", count, noun, tool_plural(count), which);
}

static void print_body(const sim_body_check* row) {
  const uint32_t particles = row->range.particle_count;
  if (row->bodies == 1) {
    printf("body at particle %u: ", row->range.first_particle);
  } else {
    printf("%u bodies from particle %u, each: ", row->bodies, row->range.first_particle);
  }
  printf("%u particle%s, %u link%s, %u face%s\n", particles, tool_plural(particles),
         row->link_count, tool_plural(row->link_count), row->face_count,
         tool_plural(row->face_count));
  if (row->edge_count > 0) {
    printf("  edges       %.3g to %.3g mm, mean %.3g mm\n", 1e3 * row->shortest, 1e3 * row->longest,
           1e3 * row->mean);
  }
  if (row->border_count > 0) {
    printf("  borders     %u, of %u edges\n", row->border_count, row->border_edge_count);
  } else if (row->face_count > 0) {
    printf("  borders     none: closed\n");
  }
  print_fault(row->crowded_count, "edge", "of three faces or more");
  print_fault(row->turned_count, "edge", "whose two faces wind opposite ways");
  if (row->face_count > 0) print_fault(row->unlinked_count, "particle", "of no link");
  printf("  takes       %u substep%s: %s\n", row->substeps, tool_plural(row->substeps),
         row->reason);
}

static void print_suggestion(const check_settings* settings, const weft_contact_suggestion* s) {
  const bool is_exact = s->collision == WEFT_COLLISION_EXACT;
  printf("  thickness   %.3g mm on either side\n", 1e3 * (double)s->thickness);
  printf("  contacts    %s, %u substep%s: %s\n", is_exact ? "exact" : "soft", s->substeps,
         tool_plural(s->substeps), weft_contact_reason_text(s->reason));
  if (is_exact) {
    printf("  speed       any: nothing passes; soft contacts bear %.3g m/s\n", (double)s->fastest);
  } else {
    printf("  speed       up to %.3g m/s\n", (double)s->fastest);
  }
  if (settings->radius > 0.0) {
    printf(
        "  dip         %.3g mm of a face into a radius of %.3g m, if only its corners collided\n",
        1e3 * (double)s->dip, settings->radius);
  }
}

// ---- JSON ----

static json_t* suggestion_json(const weft_contact_suggestion* s) {
  return json_pack("{sf ss si sf sf ss}", "thickness", (double)s->thickness, "collision",
                   s->collision == WEFT_COLLISION_EXACT ? "exact" : "soft", "substeps",
                   (int)s->substeps, "fastest", (double)s->fastest, "dip", (double)s->dip, "reason",
                   weft_contact_reason_text(s->reason));
}

static json_t* body_json(const sim_body_check* row, json_t* suggestion) {
  json_t* edges = row->edge_count == 0 ? json_null()
                                       : json_pack("{sf sf sf}", "shortest", row->shortest, "mean",
                                                   row->mean, "longest", row->longest);
  const json_int_t first = row->range.first_particle, particles = row->range.particle_count;
  return json_pack(
      "{sI sI sI sI sI sI sI sI sI sI sI ss so so}", "bodies", (json_int_t)row->bodies,
      "first_particle", first, "particles", particles, "links", (json_int_t)row->link_count,
      "faces", (json_int_t)row->face_count, "borders", (json_int_t)row->border_count,
      "border_edges", (json_int_t)row->border_edge_count, "crowded_edges",
      (json_int_t)row->crowded_count, "turned_edges", (json_int_t)row->turned_count,
      "unlinked_particles", (json_int_t)row->unlinked_count, "substeps", (json_int_t)row->substeps,
      "reason", row->reason, "edges", edges, "suggestion", suggestion);
}

// ---- command ----

static bool report(const check_settings* settings, const sim_run* run, tool_message* why) {
  uint32_t count = 0;
  sim_body_check* rows =
      sim_check_bodies(sim_run_description(run), sim_run_world(run), &count, why);
  json_t* list = json_array();
  bool ok = rows != NULL;
  for (uint32_t i = 0; ok && i < count; ++i) {
    weft_contact_suggestion suggestion;
    bool is_cloth;
    ok = suggest(settings, run, &rows[i], &suggestion, &is_cloth, why);
    if (!ok) break;
    if (settings->json) {
      json_array_append_new(
          list, body_json(&rows[i], is_cloth ? suggestion_json(&suggestion) : json_null()));
      continue;
    }
    print_body(&rows[i]);
    if (is_cloth) print_suggestion(settings, &suggestion);
  }
  free(rows);
  if (!ok || !settings->json) {
    json_decref(list);
    return ok;
  }
  json_t* all =
      json_pack("{si so so}", "schema", 1, "scene", tool_json_text(settings->name), "bodies", list);
  return tool_json_write("-", all, why);
}

int command_check(int argc, char** argv) {
  static const char* const notes[] = {
      "Exit status: 0 success, whatever the bodies are like, 1 failure, 2 invalid command line.",
      NULL};
  static const tool_syntax syntax = {
      "check",
      "Usage: weft-sim check SCENE|FILE.json|MESH [OPTION...]\n",
      "Prints what the bodies of a scene, or a mesh, are made of: particles, links, faces, lengths "
      "of edges, borders, faults; and for cloth the thickness and the substeps that suit its "
      "contacts.",
      options,
      notes,
      take_word};
  check_settings settings = {.speed = 1.0};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  if (!settings.name) {
    tool_because(&why, "no scene: 'weft-sim list' names those there are");
    return tool_fail(&why);
  }
  sim_settings asked = sim_default_settings();
  sim_run* run = NULL;
  asked.sets = settings.sets;
  asked.set_count = settings.set_count;
  const sim_outcome made = sim_run_create(settings.name, &asked, &run, &why);
  if (made == SIM_MISUSED) return tool_fail(&why);
  const bool ok = made == SIM_OK && report(&settings, run, &why);
  sim_run_destroy(&run);
  if (!ok) tool_print_error(&why);
  return ok ? TOOL_EXIT_OK : SIM_EXIT_FAILED;
}
