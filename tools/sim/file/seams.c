#include "sim/file/seams.h"

#include <float.h>
#include <stdlib.h>

#define SEAM(member) offsetof(sim_seam, member)
static const sim_field fields[] = {
    {"from", SIM_FIELD_TEXT, SEAM(from), true, false, 0, 0, NULL, "name of a body"},
    SIM_KEY_OF(SEAM, ANY, particles,
               "its particles, by their numbers: as for events; where they are not given, all"),
    {"to", SIM_FIELD_TEXT, SEAM(to), true, false, 0, 0, NULL,
     "name of the body that they are sewn to, the same or another one"},
    SIM_KEY_OF(SEAM, ANY, to_particles,
               "as many particles of that body; where they are not given, as `particles`"),
    SIM_KEY_OF(SEAM, FLAG, reversed, "the first particle is sewn to the last one, and so on"),
    SIM_RANGE("closing_time", FLOAT, SEAM(def.closing_time), 0, 1e6,
              "seconds in which the pairs are drawn together"),
    SIM_RANGE("compliance", FLOAT, SEAM(def.compliance), 0, 1e12, "metres per newton, of each"),
    SIM_RANGE("break_force", FLOAT, SEAM(def.break_force), 0, FLT_MAX,
              "newtons at which a pair opens; 0 = never"),
};

static void seam_defaults(void* value) {
  *(sim_seam*)value = (sim_seam){.def = weft_default_seam_def()};
}

const sim_table sim_seam_table = {
    "seams",
    "One object of `seams`: particles that are drawn together by pairs from the start, and stay "
    "welded; the fields of `weft_seam_def`.",
    SIM_TABLE_FIELDS(fields), sizeof(sim_seam), seam_defaults};

bool sim_read_seams(const sim_source* source, const tool_tree* list, sim_seams* seams) {
  const sim_place root = {NULL, "seams", 0};
  const size_t count = tool_tree_size(list);
  if (count == 0) return true;
  seams->items = calloc(count, sizeof *seams->items);
  if (!seams->items) return sim_fault(source, &root, "no memory for %zu seams", count);
  seams->count = count;
  for (size_t i = 0; i < count; ++i) {
    const sim_place place = {&root, NULL, i};
    const sim_target target = {&sim_seam_table, &seams->items[i]};
    if (!sim_read_object(source, &place, &list->items[i], &target, 1)) return false;
  }
  return true;
}

/* Numbers of the selected particles of a body, ascending, [*count], to be freed. */
static uint32_t* list_particles(const sim_source* source, const sim_place* place,
                                const sim_body* body, const tool_tree* what, uint32_t* count) {
  static const tool_tree all = {.kind = TOOL_TREE_TEXT, .text = "all"};
  bool* selected = sim_select(source, place, body, what ? what : &all);
  uint32_t* listed = malloc(((size_t)body->made.particle_count + 1) * sizeof *listed);
  if (selected && !listed) (void)sim_fault(source, place, "no memory to list its particles");
  *count = 0;
  for (uint32_t i = 0; selected && listed && i < body->made.particle_count; ++i) {
    if (selected[i]) listed[(*count)++] = body->made.first_particle + i;
  }
  if (!selected) {
    free(listed);
    listed = NULL;
  }
  free(selected);
  return listed;
}

static bool pair(const sim_source* source, const sim_place* place, const uint32_t* from,
                 const uint32_t* to, sim_seam* seam) {
  const uint32_t count = seam->def.count;
  seam->pairs = malloc((size_t)count * sizeof(uint32_t[2]));
  if (!seam->pairs) return sim_fault(source, place, "no memory for %u pairs", count);
  for (uint32_t i = 0; i < count; ++i) {
    seam->pairs[2 * (size_t)i] = from[i];
    seam->pairs[2 * (size_t)i + 1] = to[seam->reversed ? count - 1 - i : i];
  }
  return true;
}

static bool pair_seam(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                      sim_seam* seam) {
  const sim_place at_from = {place, "from", 0}, at_to = {place, "to", 0};
  const sim_place at_particles = {place, "particles", 0};
  const sim_place at_others = {place, seam->to_particles ? "to_particles" : "particles", 0};
  const sim_body* from = sim_find_body(source, &at_from, bodies, seam->from);
  const sim_body* to = from ? sim_find_body(source, &at_to, bodies, seam->to) : NULL;
  if (!to) return false;
  uint32_t count = 0;
  const tool_tree* others = seam->to_particles ? seam->to_particles : seam->particles;
  uint32_t* a = list_particles(source, &at_particles, from, seam->particles, &seam->def.count);
  uint32_t* b = a ? list_particles(source, &at_others, to, others, &count) : NULL;
  bool ok = a && b;
  if (ok && (seam->def.count != count || count == 0)) {
    ok = sim_fault(source, &at_others, "%u particles of %s are to be sewn to %u of %s",
                   seam->def.count, seam->from, count, seam->to);
  }
  ok = ok && pair(source, place, a, b, seam);
  free(a);
  free(b);
  return ok;
}

bool sim_pair_seams(const sim_source* source, const sim_bodies* bodies, sim_seams* seams,
                    uint32_t* joints) {
  const sim_place root = {NULL, "seams", 0};
  *joints = 0;
  for (size_t i = 0; i < seams->count; ++i) {
    const sim_place place = {&root, NULL, i};
    if (!pair_seam(source, &place, bodies, &seams->items[i])) return false;
    *joints += seams->items[i].def.count;
  }
  return true;
}

bool sim_start_seams(const sim_source* source, const sim_seams* seams, weft_world* world) {
  const sim_place root = {NULL, "seams", 0};
  for (size_t i = 0; i < seams->count; ++i) {
    const sim_place place = {&root, NULL, i};
    weft_seam_def def = seams->items[i].def;
    def.pairs = seams->items[i].pairs;
    const weft_result result = weft_world_add_seam(world, &def, NULL);
    if (result.error != WEFT_OK) return sim_weft_fault(source, &place, &sim_seam_table, result);
  }
  return true;
}

void sim_free_seams(sim_seams* seams) {
  for (size_t i = 0; i < seams->count; ++i) free(seams->items[i].pairs);
  free(seams->items);
  *seams = (sim_seams){NULL, 0};
}
