/* Commands: docs/view.md. Each checks its members before it changes anything. */
#include <math.h>
#include <string.h>

#include "view/parts.h"

typedef struct arguments {
  const view_json_line* line;
  bool is_replay;
  tool_message* why;
} arguments;

typedef struct command {
  const char* name;
  const char* members; /* allowed members, each followed by a blank */
  bool is_recorded;    /* changes the state */
  bool (*run)(view_session* session, const arguments* in);
} command;

// ---- members ----

static const view_json_member* need(const arguments* in, const char* name, view_json_kind kind) {
  const view_json_member* member = view_json_find(in->line, name);
  if (member && member->kind == kind) return member;
  tool_because(in->why, "'%s' is %s", name, member ? "of another kind" : "missing");
  return NULL;
}

static bool read_vector(const arguments* in, const char* name, uint32_t count, float* vector) {
  const view_json_member* member = need(in, name, VIEW_JSON_NUMBERS);
  if (!member) return false;
  if (!member->is_array || member->count != count) {
    return tool_because(in->why, "'%s' has not %u numbers", name, count);
  }
  for (uint32_t i = 0; i < count; ++i) vector[i] = (float)member->numbers[i];
  return true;
}

/* `usual` is the value of a missing member; NAN = required. */
static bool read_number(const arguments* in, const char* name, double lower, double upper,
                        double usual, double* number) {
  *number = usual;
  if (!isnan(usual) && !view_json_find(in->line, name)) return true;
  const view_json_member* member = need(in, name, VIEW_JSON_NUMBERS);
  if (!member) return false;
  *number = member->numbers[0];
  if (!member->is_array && *number >= lower && *number <= upper) return true;
  return tool_because(in->why, "'%s' is not a number from %g to %g", name, lower, upper);
}

static bool read_flag(const arguments* in, const char* name, bool* flag) {
  const view_json_member* member = need(in, name, VIEW_JSON_FLAG);
  if (member) *flag = member->flag;
  return member != NULL;
}

static const char* read_text(const arguments* in, const char* name) {
  const view_json_member* member = need(in, name, VIEW_JSON_TEXTS);
  if (!member) return NULL;
  if (!member->is_array) return member->texts[0];
  tool_because(in->why, "'%s' is not one text", name);
  return NULL;
}

static weft_world* world_of(const view_session* session) {
  return sim_run_world(session->run);
}

// ---- pointers ----

static bool read_grip(const arguments* in, uint32_t* id) {
  double number = 0.0;
  if (!read_number(in, "id", 0.0, WEFT_MAX_GRIPS - 1, NAN, &number)) return false;
  *id = (uint32_t)number;
  return true;
}

static bool find_grip(view_session* session, const arguments* in, weft_grip* grip, uint32_t* id) {
  if (!read_grip(in, id)) return false;
  *grip = session->grips[*id];
  return session->has_grip[*id] || tool_because(in->why, "pointer %u holds nothing", *id);
}

static bool grab(view_session* session, const arguments* in) {
  float at[3];
  double radius = 0.0;
  uint32_t id = 0;
  if (!read_grip(in, &id) || !read_vector(in, "at", 3, at)) return false;
  if (!read_number(in, "radius", 1e-6, 1e6, NAN, &radius)) return false;
  if (session->has_grip[id]) return tool_because(in->why, "pointer %u holds something", id);
  session->has_grip[id] = sim_check(
      weft_world_add_grip(world_of(session), at, (float)radius, &session->grips[id]), in->why);
  return session->has_grip[id];
}

static bool drag(view_session* session, const arguments* in) {
  float to[3];
  weft_grip grip;
  uint32_t id;
  return find_grip(session, in, &grip, &id) && read_vector(in, "to", 3, to) &&
         sim_check(weft_world_move_grip(world_of(session), grip, to), in->why);
}

static bool drop(view_session* session, const arguments* in) {
  weft_grip grip;
  uint32_t id;
  if (!find_grip(session, in, &grip, &id)) return false;
  session->has_grip[id] = false;
  return sim_check(weft_world_remove_grip(world_of(session), grip), in->why);
}

// ---- tearing ----

static bool tear(view_session* session, const arguments* in) {
  float from[3], to[3];
  double radius = 0.0;
  ++session->topology;
  return read_vector(in, "from", 3, from) && read_vector(in, "to", 3, to) &&
         read_number(in, "radius", 1e-6, 1e6, NAN, &radius) &&
         sim_check(weft_world_tear_near(world_of(session), from, to, (float)radius, NULL), in->why);
}

static bool cut(view_session* session, const arguments* in) {
  float triangle[9];
  ++session->topology;
  return read_vector(in, "triangle", 9, triangle) &&
         sim_check(weft_world_cut(world_of(session), triangle, NULL), in->why);
}

// ---- forces ----

static bool set_gravity(view_session* session, const arguments* in) {
  float value[3];
  return read_vector(in, "value", 3, value) &&
         sim_check(weft_world_set_gravity(world_of(session), value), in->why);
}

static bool set_wind(view_session* session, const arguments* in) {
  weft_wind_def wind = weft_default_wind_def();
  double gust = 0.0;
  if (!read_vector(in, "value", 3, wind.velocity)) return false;
  if (!read_number(in, "gust", 0.0, 10.0, 0.0, &gust)) return false;
  wind.gust = (float)gust;
  const bool is_still =
      wind.velocity[0] == 0.0f && wind.velocity[1] == 0.0f && wind.velocity[2] == 0.0f;
  return sim_check(weft_world_set_wind(world_of(session), is_still ? NULL : &wind), in->why);
}

static bool set_damping(view_session* session, const arguments* in) {
  double value = 0.0;
  return read_number(in, "value", 0.0, 1e6, NAN, &value) &&
         sim_check(weft_world_set_damping(world_of(session), (float)value), in->why);
}

static bool set_bounds(view_session* session, const arguments* in) {
  weft_bounds_def bounds;
  bool is_set = false;
  double restitution = 0.0, friction = 0.0;
  if (!sim_check(weft_world_get_bounds(world_of(session), &bounds, &is_set), in->why)) return false;
  if (!is_set) return tool_because(in->why, "the scene has no bounds");
  const double had = (double)bounds.surface.restitution,
               rubbed = (double)bounds.surface.dynamic_friction;
  if (!read_number(in, "restitution", 0.0, 1.0, had, &restitution)) return false;
  if (!read_number(in, "friction", 0.0, 1000.0, rubbed, &friction)) return false;
  bounds.surface.restitution = (float)restitution;
  if (view_json_find(in->line, "friction")) {
    bounds.surface.static_friction = bounds.surface.dynamic_friction = (float)friction;
  }
  return sim_check(weft_world_set_bounds(world_of(session), &bounds), in->why);
}

// ---- input of the scene ----

static bool press_key(view_session* session, const arguments* in) {
  sim_input input = {.key = read_text(in, "name")};
  return input.key && read_flag(in, "down", &input.is_down) &&
         sim_run_input(session->run, &input, in->why);
}

static bool point(view_session* session, const arguments* in) {
  sim_input input = {.key = NULL};
  return read_vector(in, "at", 3, input.point) && sim_run_input(session->run, &input, in->why);
}

// ---- scenes ----

/* A new begin by the person ends a replay. */
static void end_replay(view_session* session, const arguments* in) {
  if (!in->is_replay) session->replay.state = VIEW_REPLAY_NONE;
}

static bool reset(view_session* session, const arguments* in) {
  end_replay(session, in);
  if (!view_begin_anew(session, in->why)) return false;
  view_record_reset(&session->recording);
  return true;
}

/* Refuses a path, except the one that the person began with. */
static bool may_begin(const view_session* session, const char* name, tool_message* why) {
  if (strcmp(name, session->first_name) == 0 || strcmp(name, session->setup.name) == 0) return true;
  return sim_find_scene(name, why) != NULL;
}

static bool begin_scene(view_session* session, const arguments* in) {
  const char* name = read_text(in, "name");
  const view_json_member* sets = view_json_find(in->line, "set");
  const view_json_member* plain = view_json_find(in->line, "plain");
  double rate = 0.0;
  if (!name || !may_begin(session, name, in->why)) return false;
  if (sets && sets->count > 0 && !need(in, "set", VIEW_JSON_TEXTS)) return false;
  if (plain && !need(in, "plain", VIEW_JSON_FLAG)) return false;
  if (!read_number(in, "rate", 0.0, 1e6, 0.0, &rate)) return false;
  view_setup setup;
  bool ok = view_setup_make(&setup, name, plain && plain->flag, in->why);
  for (uint32_t i = 0; ok && sets && i < sets->count; ++i) {
    ok = view_setup_add(&setup, sets->texts[i], in->why);
  }
  if (rate > 0.0) setup.rate = fmax(rate, 1.0);
  end_replay(session, in);
  ok = ok && view_begin(session, &setup, in->why) == SIM_OK;
  view_setup_free(&setup);
  return ok;
}

static bool set_parameter(view_session* session, const arguments* in) {
  const char* name = read_text(in, "name");
  const char* value = name ? read_text(in, "value") : NULL;
  char assignment[SIM_TEXT_SIZE + 64];
  if (!value) return false;
  if (strlen(name) >= 64 || strlen(value) >= SIM_TEXT_SIZE || strchr(name, '=')) {
    return tool_because(in->why, "no such parameter");
  }
  snprintf(assignment, sizeof assignment, "%s=%s", name, value);
  view_setup setup;
  bool ok = view_setup_make(&setup, session->setup.name, true, in->why);
  for (uint32_t i = 0; ok && i < session->setup.set_count; ++i) {
    ok = view_setup_add(&setup, session->setup.sets[i], in->why);
  }
  setup.rate = session->setup.rate;
  end_replay(session, in);
  ok = ok && view_setup_add(&setup, assignment, in->why) &&
       view_begin(session, &setup, in->why) == SIM_OK;
  view_setup_free(&setup);
  return ok;
}

// ---- time ----

static bool pause_steps(view_session* session, const arguments* in) {
  if (!read_flag(in, "on", &session->is_paused)) return false;
  // due steps are not taken after the pause
  session->debt = 0.0;
  return true;
}

static bool take_steps(view_session* session, const arguments* in) {
  double count = 0.0;
  if (!read_number(in, "count", 1.0, 1000.0, 1.0, &count)) return false;
  session->debt = 0.0;
  for (uint32_t i = 0; i < (uint32_t)count; ++i) {
    if (!view_session_step(session, in->why)) return false;
  }
  return true;
}

static bool set_speed(view_session* session, const arguments* in) {
  return read_number(in, "value", 0.01, 10.0, NAN, &session->speed);
}

// ---- looks and recordings ----

static bool watch(view_session* session, const arguments* in) {
  const char* name = read_text(in, "overlay");
  for (int i = 0; name && view_overlays[i]; ++i) {
    if (strcmp(name, view_overlays[i]) != 0) continue;
    session->overlay = (view_overlay)i;
    view_record_spans(session);
    return true;
  }
  return name && tool_because(in->why, "'%.40s' is not an overlay", name);
}

static bool set_detail(view_session* session, const arguments* in) {
  double points = 0.0;
  if (!read_number(in, "points", 64.0, (double)UINT32_MAX, (double)UINT32_MAX, &points))
    return false;
  session->most_points = (uint32_t)points;
  ++session->topology;
  return true;
}

static bool replay(view_session* session, const arguments* in) {
  const char* text = read_text(in, "text");
  return text && view_session_replay(session, text, strlen(text), in->why);
}

static bool end(view_session* session, const arguments* in) {
  (void)session;
  return tool_because(in->why, "'end' is of recordings alone");
}

static const command commands[] = {
    {"grab", "id at radius ", true, grab},
    {"drag", "id to ", true, drag},
    {"drop", "id ", true, drop},
    {"tear", "from to radius ", true, tear},
    {"cut", "triangle ", true, cut},
    {"gravity", "value ", true, set_gravity},
    {"wind", "value gust ", true, set_wind},
    {"damping", "value ", true, set_damping},
    {"bounds", "restitution friction ", true, set_bounds},
    {"key", "name down ", true, press_key},
    {"point", "at ", true, point},
    // these write the recording themselves
    {"reset", "", false, reset},
    {"scene", "name set plain rate ", false, begin_scene},
    {"set", "name value ", false, set_parameter},
    {"pause", "on ", false, pause_steps},
    {"step", "count ", false, take_steps},
    {"speed", "value ", false, set_speed},
    {"watch", "overlay ", false, watch},
    {"detail", "points ", false, set_detail},
    {"replay", "text ", false, replay},
    {"end", "hash ", false, end},
};

static bool is_member(const char* members, const char* name) {
  const size_t length = strlen(name);
  for (const char* at = members; *at; at = strchr(at, ' ') + 1) {
    if (strncmp(at, name, length) == 0 && at[length] == ' ') return true;
  }
  return false;
}

static bool check_members(const command* found, const arguments* in) {
  for (uint32_t i = 0; i < in->line->count; ++i) {
    const char* name = in->line->members[i].name;
    const bool is_known = strcmp(name, "do") == 0 || is_member(found->members, name) ||
                          (in->is_replay && strcmp(name, "step") == 0);
    if (!is_known) return tool_because(in->why, "%s: '%s' is not a member", found->name, name);
  }
  return true;
}

bool view_run_command(view_session* session, const view_json_line* line, bool is_replay,
                      bool* is_recorded, tool_message* why) {
  const arguments in = {line, is_replay, why};
  const char* name = read_text(&in, "do");
  if (!name) return false;
  const size_t count = sizeof commands / sizeof commands[0];
  size_t i = 0;
  while (i < count && strcmp(commands[i].name, name) != 0) ++i;
  if (i == count) return tool_because(why, "'%.40s' is not a command", name);
  if (is_replay && !commands[i].is_recorded && commands[i].run != begin_scene) {
    return tool_because(why, "'%.40s' is not recorded", name);
  }
  const bool begins = commands[i].run == begin_scene;
  if (session->is_dead && !begins) {
    return tool_because(why, "the scene has ended: choose another one");
  }
  *is_recorded = commands[i].is_recorded;
  return check_members(&commands[i], &in) && commands[i].run(session, &in);
}
