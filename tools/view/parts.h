/* The session from inside: what its files share. */
#ifndef TOOLS_VIEW_PARTS_H
#define TOOLS_VIEW_PARTS_H

#include "sim/run.h"
#include "view/json_line.h"
#include "view/scenes.h"
#include "view/session.h"

/* Spans: of a worker in a step; of larger worlds the first ones. */
enum { VIEW_MOST_SETS = 64, VIEW_STAGES = WEFT_STAGE_COUNT, VIEW_SPANS = 16384 };

typedef enum view_overlay {
  VIEW_OVERLAY_NONE,
  VIEW_OVERLAY_STRAIN,
  VIEW_OVERLAY_SPEED,
  VIEW_OVERLAY_CONTACTS, /* this and all that follow have classes */
  VIEW_OVERLAY_PATCHES,
  VIEW_OVERLAY_COLORS,
  VIEW_OVERLAY_LEVELS,
  VIEW_OVERLAY_WORKERS,
} view_overlay;

/* Names of the overlays, ended by NULL. */
extern const char* const view_overlays[];

/* Settings of a run; it owns its texts. */
typedef struct view_setup {
  char* name;
  char* sets[VIEW_MOST_SETS];
  uint32_t set_count;
  double rate; /* 0 = as the scene says */
} view_setup;

/* Structural link. */
typedef struct view_link {
  uint32_t number; /* in the scene */
  uint32_t a, b;
  float rest_length, tear_ratio;
} view_link;

/* World beside that of the run, whose points follow those of it. */
typedef struct view_beside {
  const weft_world* world;
  float offset[3];
  uint32_t curve; /* that has its colour */
} view_beside;

/* Particles that stand for all in pictures of a large cloth; NULL: all do. */
typedef struct view_detail {
  uint32_t* seeds;    /* particle of each point, ascending [count] */
  uint32_t* point_of; /* by particle [particle_count] */
  uint32_t count;
} view_detail;

/* Particles [first, first + count). */
typedef struct view_range {
  uint32_t first, count;
} view_range;

/* The run as it is drawn: made when it begins. */
typedef struct view_model {
  view_link* links; /* structural ones [link_count] */
  uint32_t link_count;
  uint32_t all_links; /* of every kind */
  uint32_t particle_count, point_count;
  uint32_t* colors; /* 0xRRGGBB by particle, one for each body [particle_count] */
  bool* is_pinned;  /* at first [particle_count] */
  bool* is_linked;  /* by any link [particle_count] */
  view_beside beside[SIM_MOST_SHOWN];
  uint32_t beside_count, curve_count;
  uint32_t main_curve;      /* of the world of the run, where there are others */
  double line_radius;       /* metres */
  double tear_strain;       /* full scale of the strain overlay */
  float lower[3], upper[3]; /* AABB of all points at first, metres */
  float* drawn;             /* positions of the scene, metres [particle_count][3] */
  uint32_t* patch_of;       /* [particle_count] */
  uint8_t* level_of;        /* coarsest level [particle_count] */
  uint8_t* patch_values;    /* room for an overlay [patch_count] */
  int64_t* patch_ends;      /* nanoseconds: of the last phase seen [patch_count] */
  uint32_t patch_count;
  // of the last topology
  uint32_t version;
  bool* enabled; /* [all_links] */
  uint32_t enabled_count, collider_count;
  uint32_t* faces; /* [face_count][3] */
  uint32_t face_count, face_capacity;
  weft_collider* colliders; /* [collider_count] */
  view_detail detail;
  uint32_t detailed_for;  /* most points of the detail; 0 = none was made */
  view_range* read;       /* particles that frames are made of, ascending [read_count] */
  uint32_t* normal_faces; /* faces at points, where these are not all particles */
  uint32_t read_count, normal_face_count;
  // room for a frame
  float* positions; /* [point_count][3] */
  float* vectors;   /* normals or velocities [point_count][3] */
  int8_t* touches;  /* [particle_count][3] */
} view_model;

/* Figures of the last steps. */
typedef struct view_meter {
  double step_ms, stage_ms[VIEW_STAGES],
      rate;                    /* milliseconds a step; steps a second of the clock */
  double profile[VIEW_STAGES]; /* seconds, at the beginning of the window */
  double busy_ns, elapsed;     /* in the window */
  uint32_t steps;
  uint64_t measured_step; /* step + 1 of strain and hash; 0 = none */
  double mean_strain, max_strain;
  uint64_t hash;
} view_meter;

typedef struct view_recording {
  char* text;
  size_t size, capacity, first_line; /* bytes */
  bool is_full;
} view_recording;

typedef struct view_replay {
  char* text;
  size_t at, size;
  view_replay_state state;
} view_replay;

struct view_session {
  char* first_name; /* that it was created with: the only path that a command may name */
  uint32_t threads;
  weft_isa isa;
  view_setup setup;
  const view_scene* scene;
  sim_run* run;
  bool is_dead; /* a reset has failed */
  view_model model;
  view_meter meter;
  view_recording recording;
  view_replay replay;
  weft_grip grips[WEFT_MAX_GRIPS];
  bool has_grip[WEFT_MAX_GRIPS];
  double speed, debt; /* world seconds a second; world seconds that are due */
  double lost;        /* world seconds that were not made up for */
  bool is_paused;
  view_overlay overlay;
  uint32_t most_points; /* that a picture of cloth may have, about */
  uint32_t generation, topology;
  view_capture capture; /* of view_write_frame() */
};

// ---- session.c ----

/* Begins another run, and leaves the present one as it is where that fails. The setup is taken over
 * by the session if it succeeds. */
sim_outcome view_begin(view_session* session, view_setup* setup, tool_message* why);

/* The same run from its first state. */
bool view_begin_anew(view_session* session, tool_message* why);

/* Setup of a scene with the viewer's sets, or without. False where there is no memory. */
bool view_setup_make(view_setup* setup, const char* name, bool plain, tool_message* why);
bool view_setup_add(view_setup* setup, const char* assignment, tool_message* why);
void view_setup_free(view_setup* setup);

// ---- commands.c ----

/* Runs a command that has been read. `is_replay`: of a recording, with the member "step". */
bool view_run_command(view_session* session, const view_json_line* line, bool is_replay,
                      bool* is_recorded, tool_message* why);

// ---- recording.c ----

/* Begins the recording with the scene. False where there is no memory. */
bool view_record_scene(view_session* session);
void view_record_reset(view_recording* recording);
/* Appends a command, as it came. */
void view_record(view_session* session, const char* line, size_t length);
/* Runs the commands of a replay that belong before the next step; false where one failed. */
bool view_replay_due(view_session* session, tool_message* why);

// ---- model.c ----

bool view_model_make(view_model* model, const sim_run* run, double line_radius, tool_message* why);
void view_model_free(view_model* model);

/* Faces, lines or colliders have changed since the last topology: found by their counts. */
bool view_model_has_changed(const view_session* session);

/* Reads faces, links and colliders where the session's topology is newer. False where memory cannot
 * be had. */
bool view_model_refresh(view_session* session);

// ---- detail.c ----

/* Chooses the points of the model, whose faces have been read. False where memory cannot be had. */
bool view_detail_make(view_detail* detail, const view_model* model, uint32_t most_points);
void view_detail_free(view_detail* detail);

/* Lists the particles and the faces that positions and normals of the points need, where the detail
 * or the faces are new. False where memory cannot be had. */
bool view_detail_list(view_model* model);

/* Points of a picture, the particle of one, and the point of a particle of the main world. */
static inline uint32_t view_point_count(const view_model* model) {
  return model->detail.seeds ? model->detail.count : model->point_count;
}

static inline uint32_t view_particle_of(const view_model* model, uint32_t point) {
  return model->detail.seeds ? model->detail.seeds[point] : point;
}

static inline uint32_t view_point_of(const view_model* model, uint32_t particle) {
  return model->detail.seeds ? model->detail.point_of[particle] : particle;
}

// ---- overlays.c ----

/* Appends the overlay of a frame, whose positions have been read. False where there is no memory.
 */
bool view_put_overlay(view_session* session, view_bytes* out);

/* Records spans of the workers from the next step on if the overlay shows them. */
void view_record_spans(const view_session* session);

// ---- bytes ----

bool view_put(view_bytes* out, const void* data, size_t size);
bool view_put_u32(view_bytes* out, uint32_t value);
bool view_put_f32(view_bytes* out, double value);
bool view_put_f64(view_bytes* out, double value);
/* Room for `size` bytes; NULL where memory cannot be had. */
void* view_put_room(view_bytes* out, size_t size);
bool view_print(view_bytes* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
/* A JSON text with its quotation marks. */
bool view_print_text(view_bytes* out, const char* text);

#endif
