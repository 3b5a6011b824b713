#include "sim/file/bodies.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "common/near.h"
#include "sim/file/body_makers.h"
#include "sim/file/contacts.h"
#include "sim/file/grid.h"
#include "sim/run.h"

enum { MOST_TYPES = 32, MAX_NAME = 63 };

#define BODY(member) offsetof(sim_body, member)
static const sim_field body_fields[] = {
    {"type", SIM_FIELD_TEXT, BODY(type_name), true, false, 0, 0, NULL, "see below"},
    SIM_KEY_OF(
        BODY, TEXT, name,
        "name for links and events: a letter, then letters, digits, `_` and `-`, 63 at most"),
    SIM_KEY_OF(BODY, ANY, pin, "particles that are held in place"),
    SIM_KEY_OF(BODY, FLAG, coarse, "included in the multigrid levels"),
    SIM_RANGE_OF(BODY, FLOAT, pressure, 0, 1e12,
                 "pascals above that of the air: gas in a closed body"),
    SIM_KEY_OF(
        BODY, OBJECT, contact,
        "shape of its particles: their size for `bounds`, and contacts with colliders, cloth and "
        "bodies; none if missing"),
    SIM_KEY_OF(BODY, LIST, start,
               "metres: first position of each particle, where it is not its place at rest: three "
               "formulas, of `x`, `y`, `z` too"),
    SIM_KEY_OF(BODY, LIST, velocity,
               "metres per second to begin with, but of `pin`: three formulas of each particle"),
    SIM_RANGE_OF(BODY, COUNT, environment, 0, UINT32_MAX,
                 "its number: bodies of different environments do not meet"),
};

static void body_defaults(void* value) {
  ((sim_body*)value)->coarse = true;
}

static const sim_table body_table = {"bodies",
                                     "One object of `bodies`: what all types have, and the keys of "
                                     "its type. Particles of a body are numbered from 0. Where "
                                     "particles are to be named, by `pin` and by events, that is a "
                                     "number, a range `{\"first\": 3, \"count\": 5}`, the name of "
                                     "a part - `all`, `first`, `last`, or one of its type - or a "
                                     "list of such.",
                                     SIM_TABLE_FIELDS(body_fields), sizeof(sim_body),
                                     body_defaults};

// ---- reading ----

/* First look at the type, which the keys depend on. */
static const sim_body_type* find_type(const sim_source* source, const sim_place* place,
                                      const tool_tree* object) {
  const char* names[MOST_TYPES];
  size_t count = 0;
  while (sim_body_types[count]) names[count] = sim_body_types[count]->name, ++count;
  const size_t found = sim_find_kind(source, place, object, "type", "a type of body", names, count);
  return found < count ? sim_body_types[found] : NULL;
}

static bool check_name(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                       size_t number) {
  const char* name = bodies->items[number].name;
  const sim_place here = {place, "name", 0};
  char quote[SIM_MAX_QUOTE];
  if (!name) return true;
  bool good = isalpha((unsigned char)name[0]) && strlen(name) <= MAX_NAME;
  for (const char* c = name; *c; ++c) {
    good = good && (isalnum((unsigned char)*c) || *c == '_' || *c == '-');
  }
  snprintf(quote, sizeof quote, "%s", name);
  if (!good) return sim_fault(source, &here, "'%s' is not a name", quote);
  for (size_t i = 0; i < number; ++i) {
    const char* other = bodies->items[i].name;
    if (!other || strcmp(other, name) != 0) continue;
    return sim_fault(source, &here, "'%s' is the name of bodies[%zu] already", name, i);
  }
  return true;
}

static bool read_body(const sim_source* source, const sim_place* place, const tool_tree* object,
                      sim_body* body) {
  const sim_body_type* type = find_type(source, place, object);
  if (!type) return false;
  void* def = calloc(1, type->table->bytes);
  if (!def) return sim_fault(source, place, "no memory for it");
  const sim_target targets[] = {{&body_table, body}, {type->table, def}};
  const bool ok = sim_read_object(source, place, object, targets, 2);
  body->type = type;
  body->def = def;
  body->has_environment = tool_tree_get(object, "environment") != NULL;
  return ok && (!body->contact || sim_read_contact(source, place, body->contact, &body->how));
}

/* Refuses too many particles before memory is allocated. */
static bool check_count(const sim_source* source, const sim_place* place, const sim_body* body,
                        uint64_t* total) {
  *total += body->type->count(body);
  return *total <= SIM_MOST_PARTICLES ||
         sim_fault(source, place, "brings the scene to %llu particles, and %u are the most",
                   (unsigned long long)*total, SIM_MOST_PARTICLES);
}

bool sim_read_bodies(const sim_source* source, const tool_tree* list, sim_bodies* bodies) {
  const sim_place root = {NULL, "bodies", 0};
  const size_t count = tool_tree_size(list);
  uint64_t total = 0;
  if (count == 0) return sim_fault(source, &root, "is empty");
  bodies->items = calloc(count, sizeof *bodies->items);
  if (!bodies->items) return sim_fault(source, &root, "no memory for %zu bodies", count);
  bodies->count = count;
  for (size_t i = 0; i < count; ++i) {
    const sim_place place = {&root, NULL, i};
    sim_body* body = &bodies->items[i];
    if (!read_body(source, &place, &list->items[i], body) ||
        !check_name(source, &place, bodies, i) || !check_count(source, &place, body, &total)) {
      return false;
    }
  }
  return true;
}

void sim_free_bodies(sim_bodies* bodies) {
  for (size_t i = 0; i < bodies->count; ++i) {
    free(bodies->items[i].def);
    free(bodies->items[i].inverse_masses);
  }
  free(bodies->items);
  *bodies = (sim_bodies){NULL, 0};
}

// ---- building ----

static bool keep_masses(const sim_source* source, const sim_place* place, sim_body* body,
                        const weft_scene* scene) {
  const uint32_t count = body->made.particle_count;
  body->inverse_masses = malloc(sizeof(float) * count);
  if (!body->inverse_masses) return sim_fault(source, place, "no memory for its masses");
  const weft_result result =
      weft_scene_get_particles(scene, body->made.first_particle, count, NULL, body->inverse_masses);
  return result.error == WEFT_OK || sim_weft_fault(source, place, &body_table, result);
}

static bool pin_body(const sim_source* source, const sim_place* place, const sim_body* body,
                     weft_scene* scene) {
  if (!body->pin) return true;
  const sim_place here = {place, "pin", 0};
  bool* pinned = sim_select(source, &here, body, body->pin);
  bool ok = pinned != NULL;
  for (uint32_t i = 0; ok && i < body->made.particle_count; ++i) {
    if (pinned[i])
      ok = weft_scene_pin(scene, weft_range(body->made.first_particle + i, 1)).error == WEFT_OK;
  }
  free(pinned);
  return ok;
}

static bool fill_body(const sim_source* source, const sim_place* place, const sim_body* body,
                      weft_scene* scene) {
  if (body->pressure == 0.0f) return true;
  const weft_result result = weft_scene_set_pressure(scene, &body->made, body->pressure);
  return result.error == WEFT_OK ||
         sim_fault(source, &(sim_place){place, "pressure", 0}, "%s", weft_error_text(result.error));
}

bool sim_add_bodies(const sim_source* source, const sim_bodies* bodies, weft_scene* scene) {
  const sim_place root = {NULL, "bodies", 0};
  for (size_t i = 0; i < bodies->count; ++i) {
    sim_body* body = &bodies->items[i];
    const sim_place place = {&root, NULL, i};
    if (!body->type->add(source, &place, body, scene) ||
        !keep_masses(source, &place, body, scene) || !pin_body(source, &place, body, scene)) {
      return false;
    }
    tool_must(weft_scene_set_coarse(scene, body->made.first_particle, body->coarse));
    if (body->has_environment) {
      tool_must(weft_scene_set_environment(scene, &body->made, body->environment));
    }
    if (!fill_body(source, &place, body, scene)) return false;
  }
  return true;
}

bool sim_start_bodies(const sim_source* source, const sim_bodies* bodies, weft_world* world) {
  const sim_place root = {NULL, "bodies", 0};
  for (size_t i = 0; i < bodies->count; ++i) {
    const sim_place place = {&root, NULL, i};
    const sim_body* body = &bodies->items[i];
    if (body->contact && !sim_start_contact(source, &place, &body->how, &body->made, world)) {
      return false;
    }
  }
  return true;
}

// ---- bodies and particles by name ----

sim_body* sim_find_body(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                        const char* name) {
  const char* nearest = NULL;
  for (size_t i = 0; i < bodies->count; ++i) {
    const char* other = bodies->items[i].name;
    if (!other) continue;
    if (strcmp(other, name) == 0) return &bodies->items[i];
    const char* pair[] = {nearest ? nearest : other, other};
    nearest = tool_nearest(name, pair, 2);
  }
  char cut[SIM_MAX_QUOTE];
  snprintf(cut, sizeof cut, "%s", name);
  if (nearest) {
    sim_fault(source, place, "no body is called '%s' (did you mean %s?)", cut, nearest);
  } else {
    sim_fault(source, place, "no body is called '%s'", cut);
  }
  return NULL;
}

uint32_t sim_columns_of(const sim_body* body) {
  return body->type->columns ? body->type->columns(body) : UINT32_MAX;
}

/* Digits only. */
static bool take_whole(const char** text, uint64_t* number) {
  const char* start = *text;
  for (*number = 0; **text >= '0' && **text <= '9' && *text - start < 10; ++*text) {
    *number = *number * 10 + (uint64_t)(**text - '0');
  }
  return *text > start;
}

/* "[3]" or "[column,row]". */
static bool take_index(const sim_body* body, const char* text, uint64_t* index) {
  uint64_t row = 0;
  if (*text++ != '[' || !take_whole(&text, index)) return false;
  const uint32_t columns = sim_columns_of(body);
  if (*text == ',' && columns < UINT32_MAX) {
    ++text;
    if (!take_whole(&text, &row) || *index >= columns) return false;
    *index += row * columns;
  }
  return strcmp(text, "]") == 0;
}

bool sim_find_particle(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                       const char* text, uint32_t* particle) {
  char name[MAX_NAME + 1], cut[SIM_MAX_QUOTE];
  uint64_t index = 0;
  const size_t length = strcspn(text, "[");
  snprintf(cut, sizeof cut, "%s", text);
  if (length == 0 || length > MAX_NAME || text[length] == '\0') {
    return sim_fault(source, place, "'%s' is not a particle, such as name[3]", cut);
  }
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  const sim_body* body = sim_find_body(source, place, bodies, name);
  if (!body) return false;
  if (!take_index(body, text + length, &index)) {
    return sim_fault(source, place, "'%s' is not a particle, such as %s[3]", cut, name);
  }
  if (index >= body->made.particle_count) {
    return sim_fault(source, place, "'%s': %s has %u particles, numbered from 0", cut, name,
                     body->made.particle_count);
  }
  *particle = body->made.first_particle + (uint32_t)index;
  return true;
}

// ---- selections ----

typedef struct sim_range {
  uint32_t first, count;
} sim_range;

static const sim_field range_fields[] = {
    {"first", SIM_FIELD_COUNT, offsetof(sim_range, first), true, false, 0, UINT32_MAX, NULL,
     "number of the first particle"},
    {"count", SIM_FIELD_COUNT, offsetof(sim_range, count), true, false, 0, UINT32_MAX, NULL,
     "particles"},
};

static const sim_table range_table = {"ranges", "A range of particles.",
                                      SIM_TABLE_FIELDS(range_fields), sizeof(sim_range), NULL};

static bool has_all(const sim_body* body, uint32_t particle) {
  (void)body;
  (void)particle;
  return true;
}

static bool has_first(const sim_body* body, uint32_t particle) {
  (void)body;
  return particle == 0;
}

static bool has_last(const sim_body* body, uint32_t particle) {
  return particle + 1 == body->made.particle_count;
}

static const sim_part common_parts[] = {
    {"all", has_all}, {"first", has_first}, {"last", has_last}, {NULL, NULL}};

static const sim_part* find_part(const sim_part* parts, const char* name) {
  for (; parts && parts->name; ++parts) {
    if (strcmp(parts->name, name) == 0) return parts;
  }
  return NULL;
}

static bool select_range(const sim_source* source, const sim_place* place, const sim_body* body,
                         uint64_t first, uint64_t count, bool* selected) {
  const uint32_t upper = body->made.particle_count;
  if (first + count > upper) {
    return sim_fault(source, place, "reaches particle %llu, and there are %u, numbered from 0",
                     (unsigned long long)(first + count - 1), upper);
  }
  for (uint64_t i = first; i < first + count; ++i) selected[i] = true;
  return true;
}

static bool select_part(const sim_source* source, const sim_place* place, const sim_body* body,
                        const char* name, bool* selected) {
  char cut[SIM_MAX_QUOTE];
  const sim_part* part = find_part(common_parts, name);
  if (!part) part = find_part(body->type->parts, name);
  snprintf(cut, sizeof cut, "%s", name);
  if (!part) return sim_fault(source, place, "'%s' is not a part of a %s", cut, body->type->name);
  for (uint32_t i = 0; i < body->made.particle_count; ++i) {
    if (part->has(body, i)) selected[i] = true;
  }
  return true;
}

static bool select_one(const sim_source* source, const sim_place* place, const sim_body* body,
                       const tool_tree* what, bool* selected) {
  sim_range range;
  char quote[SIM_MAX_QUOTE];
  if (tool_tree_is(what, TOOL_TREE_TEXT)) {
    return select_part(source, place, body, tool_tree_text(what), selected);
  }
  if (tool_tree_is(what, TOOL_TREE_OBJECT)) {
    const sim_target target = {&range_table, &range};
    return sim_read_object(source, place, what, &target, 1) &&
           select_range(source, place, body, range.first, range.count, selected);
  }
  if (tool_tree_is(what, TOOL_TREE_WHOLE) && what->whole >= 0) {
    return select_range(source, place, body, (uint64_t)what->whole, 1, selected);
  }
  sim_quote(what, quote);
  return sim_fault(source, place, "'%s' is no particle, range or part", quote);
}

bool* sim_select(const sim_source* source, const sim_place* place, const sim_body* body,
                 const tool_tree* what) {
  bool* selected = calloc(body->made.particle_count, sizeof *selected);
  bool ok = selected || sim_fault(source, place, "no memory to list its particles");
  if (ok && !tool_tree_is(what, TOOL_TREE_LIST)) {
    ok = select_one(source, place, body, what, selected);
  } else {
    for (size_t i = 0; ok && i < tool_tree_size(what); ++i) {
      const sim_place element = {place, NULL, i};
      ok = select_one(source, &element, body, &what->items[i], selected);
    }
  }
  if (!ok) free(selected);
  return ok ? selected : NULL;
}

// ---- the reference ----

void sim_print_bodies(FILE* out) {
  sim_print_table(out, &body_table);
  for (size_t i = 0; sim_body_types[i]; ++i) {
    sim_print_table(out, sim_body_types[i]->table);
  }
  sim_print_table(out, &sim_composite_link_table);
  sim_print_table(out, &sim_grid_table);
}
