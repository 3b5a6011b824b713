#include "view/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "view/parts.h"

/* Seconds of the clock: window of mean figures, and limit of late steps. */
#define WINDOW 0.25
#define MOST_LAG 0.25

static char* copy_text(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

void view_setup_free(view_setup* setup) {
  for (uint32_t i = 0; i < setup->set_count; ++i) free(setup->sets[i]);
  free(setup->name);
  *setup = (view_setup){.name = NULL};
}

/* Replaces a set of the same name. */
bool view_setup_add(view_setup* setup, const char* assignment, tool_message* why) {
  const size_t length = strcspn(assignment, "=");
  uint32_t i = 0;
  while (i < setup->set_count &&
         (strncmp(setup->sets[i], assignment, length) != 0 || setup->sets[i][length] != '=')) {
    ++i;
  }
  if (i == VIEW_MOST_SETS) return tool_because(why, "more than %d values", VIEW_MOST_SETS);
  char* copy = copy_text(assignment);
  if (!copy) return tool_because(why, "no memory for a scene");
  if (i == setup->set_count) {
    ++setup->set_count;
  } else {
    free(setup->sets[i]);
  }
  setup->sets[i] = copy;
  return true;
}

bool view_setup_make(view_setup* setup, const char* name, bool plain, tool_message* why) {
  const view_scene* scene = view_find_scene(name);
  *setup = (view_setup){.name = copy_text(name), .rate = plain ? 0.0 : scene->rate};
  if (!setup->name) return tool_because(why, "no memory for a scene");
  for (const char* const* set = plain ? NULL : scene->sets; set && *set; ++set) {
    if (!view_setup_add(setup, *set, why)) return false;
  }
  return true;
}

static void forget_state(view_session* session) {
  memset(session->has_grip, 0, sizeof session->has_grip);
  session->meter = (view_meter){.rate = 0.0};
  session->debt = 0.0;
  ++session->topology;
}

sim_outcome view_begin(view_session* session, view_setup* setup, tool_message* why) {
  sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  view_model model = {.links = NULL};
  settings.sets = (const char* const*)setup->sets;
  settings.set_count = setup->set_count;
  settings.rate = setup->rate;
  settings.threads = session->threads;
  settings.usual_threads = weft_available_cpus();
  settings.isa = session->isa;
  settings.keeps_cells = settings.is_profiled = true;
  const sim_outcome outcome = sim_run_create(setup->name, &settings, &run, why);
  if (outcome != SIM_OK) return outcome;
  if (!view_model_make(&model, run, view_find_scene(setup->name)->line_radius, why)) {
    view_model_free(&model);
    sim_run_destroy(&run);
    return SIM_FAILED;
  }
  sim_run_destroy(&session->run);
  view_model_free(&session->model);
  view_setup_free(&session->setup);
  session->run = run;
  session->model = model;
  session->setup = *setup;
  *setup = (view_setup){.name = NULL};
  session->scene = view_find_scene(session->setup.name);
  session->is_dead = false;
  view_record_spans(session);
  ++session->generation;
  forget_state(session);
  if (view_record_scene(session)) return SIM_OK;
  (void)tool_because(why, "no memory for a recording");
  return SIM_FAILED;
}

bool view_begin_anew(view_session* session, tool_message* why) {
  session->is_dead = !sim_run_reset(session->run, why);
  if (session->is_dead) return false;
  view_model_free(&session->model);
  session->is_dead =
      !view_model_make(&session->model, session->run, session->scene->line_radius, why);
  forget_state(session);
  return !session->is_dead;
}

sim_outcome view_session_create(const view_options* options, view_session** session,
                                tool_message* why) {
  view_setup setup;
  view_session* made = calloc(1, sizeof *made);
  *session = made;
  if (!made) {
    (void)tool_because(why, "no memory for a session");
    return SIM_FAILED;
  }
  made->threads = options->threads;
  made->isa = options->isa;
  made->speed = 1.0;
  made->most_points = UINT32_MAX;
  made->first_name = copy_text(options->name);
  bool ok = view_setup_make(&setup, options->name, false, why);
  for (size_t i = 0; ok && i < options->set_count; ++i) {
    ok = view_setup_add(&setup, options->sets[i], why);
  }
  const sim_outcome outcome = ok ? view_begin(made, &setup, why) : SIM_FAILED;
  view_setup_free(&setup);
  if (outcome != SIM_OK) view_session_destroy(session);
  return outcome;
}

void view_session_destroy(view_session** session) {
  view_session* gone = *session;
  if (!gone) return;
  sim_run_destroy(&gone->run);
  view_model_free(&gone->model);
  view_setup_free(&gone->setup);
  free(gone->first_name);
  free(gone->recording.text);
  free(gone->replay.text);
  view_capture_free(&gone->capture);
  free(gone);
  *session = NULL;
}

static double seconds_of_step(const view_session* session) {
  return (double)sim_run_def(session->run)->step_ns * 1e-9;
}

bool view_session_step(view_session* session, tool_message* why) {
  if (session->is_dead) return tool_because(why, "the scene has ended: choose another one");
  if (!view_replay_due(session, why)) return false;
  const double start_ns = tool_clock_ns();
  if (!sim_run_step(session->run, why)) return false;
  session->meter.busy_ns += tool_clock_ns() - start_ns;
  ++session->meter.steps;
  if (view_model_has_changed(session)) ++session->topology;
  return view_replay_due(session, why);
}

static void update_meter(view_session* session, double elapsed) {
  view_meter* meter = &session->meter;
  double profile[VIEW_STAGES];
  meter->elapsed += elapsed;
  if (meter->elapsed < WINDOW) return;
  const double steps = fmax((double)meter->steps, 1.0);
  meter->rate = (double)meter->steps / meter->elapsed;
  if (meter->steps > 0 &&
      weft_world_get_profile(sim_run_world(session->run), profile).error == WEFT_OK) {
    meter->step_ms = meter->busy_ns * 1e-6 / steps;
    for (int i = 0; i < VIEW_STAGES; ++i) {
      meter->stage_ms[i] = (profile[i] - meter->profile[i]) * 1e3 / steps;
      meter->profile[i] = profile[i];
    }
  }
  meter->busy_ns = meter->elapsed = 0.0;
  meter->steps = 0;
}

bool view_session_advance(view_session* session, double elapsed, double budget, uint32_t* steps,
                          tool_message* why) {
  const double start_ns = tool_clock_ns();
  *steps = 0;
  if (session->is_dead) return true;
  if (!session->is_paused) session->debt += fmax(elapsed, 0.0) * session->speed;
  bool ok = true;
  // within a nanosecond of rounding a step is due
  while (ok && !session->is_paused && session->debt >= seconds_of_step(session) * (1.0 - 1e-9)) {
    session->debt -= seconds_of_step(session);
    ok = view_session_step(session, why);
    *steps += ok;
    if ((tool_clock_ns() - start_ns) * 1e-9 >= budget) break;
  }
  const double kept = fmax(MOST_LAG * session->speed, seconds_of_step(session));
  session->lost += fmax(session->debt - kept, 0.0);
  session->debt = fmin(fmax(session->debt, 0.0), kept);
  if (!ok) session->is_paused = true;
  update_meter(session, elapsed);
  return ok;
}

double view_session_due(const view_session* session) {
  if (session->is_paused || session->is_dead) return INFINITY;
  return fmax(0.0, (seconds_of_step(session) - session->debt) / session->speed);
}

double view_session_lag(const view_session* session) {
  return session->lost + fmax(session->debt - seconds_of_step(session), 0.0);
}

uint64_t view_session_step_count(const view_session* session) {
  return sim_run_moment(session->run).step;
}

uint64_t view_session_hash(const view_session* session) {
  return weft_world_hash(sim_run_world(session->run));
}

uint32_t view_session_topology(const view_session* session) {
  return session->topology;
}

uint32_t view_session_generation(const view_session* session) {
  return session->generation;
}

bool view_session_command(view_session* session, const char* line, size_t length,
                          tool_message* why) {
  view_json_line read;
  bool is_recorded = false;
  if (length > VIEW_MOST_COMMAND) return tool_because(why, "a command of too many bytes");
  bool ok = view_json_read(line, length, &read, why);
  ok = ok && view_run_command(session, &read, false, &is_recorded, why);
  view_json_free(&read);
  if (!ok || !is_recorded) return ok;
  session->replay.state = VIEW_REPLAY_NONE;
  view_record(session, line, length);
  return true;
}
