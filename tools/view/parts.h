/* The session's internals, shared by its files. */
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
  VIEW_OVERLAY_CONTACTS, /* classes from here on */
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
  double rate; /* 0 = the scene's */
} view_setup;

/* Structural link. */
typedef struct view_link {
  uint32_t number; /* number in the scene */
  uint32_t a, b;
  float rest_length, tear_ratio;
} view_link;

/* World beside the run's, whose points follow. */
typedef struct view_beside {
  const weft_world* world;
  float offset[3];
  uint32_t curve; /* curve of the same colour */
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
  uint32_t all_links; /* links of every kind */
  uint32_t particle_count, point_count;
  uint32_t* colors; /* 0xRRGGBB by particle, one for each body [particle_count] */
  bool* is_pinned;  /* initially [particle_count] */
  bool* is_linked;  /* linked at all [particle_count] */
  view_beside beside[SIM_MOST_SHOWN];
  uint32_t beside_count, curve_count;
  uint32_t main_curve;      /* curve of the run's world, if there are others */
  double line_radius;       /* metres */
  double tear_strain;       /* full scale of the strain overlay */
  float lower[3], upper[3]; /* AABB of all initial points, metres */
  float* drawn;             /* positions of the scene, metres [particle_count][3] */
  uint32_t* patch_of;       /* [particle_count] */
  uint8_t* level_of;        /* coarsest level [particle_count] */
  uint8_t* patch_values;    /* room for an overlay [patch_count] */
  int64_t* patch_ends;      /* nanoseconds: end of the last phase seen [patch_count] */
  uint32_t patch_count;
  // last topology
  uint32_t version;
  bool* enabled; /* [all_links] */
  uint32_t enabled_count, collider_count;
  uint32_t* faces; /* [face_count][3] */
  uint32_t face_count, face_capacity;
  weft_collider* colliders; /* [collider_count] */
  view_detail detail;
  uint32_t detailed_for;  /* most points of the detail; 0 = none was made */
  view_range* read;       /* particles read for frames, ascending [read_count] */
  uint32_t* normal_faces; /* faces at points, unless these are all particles */
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
  double profile[VIEW_STAGES]; /* seconds at the beginning of the window */
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
  char* first_name; /* name at creation: the only path that a command may name */
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
  double speed, debt; /* world seconds a second; world seconds due */
  double lost;        /* world seconds never taken */
  bool is_paused;
  view_overlay overlay;
  uint32_t most_points; /* approximate limit of a picture of cloth */
  uint32_t generation, topology;
  view_capture capture; /* scratch of view_write_frame() */
};

// ---- session.c ----

/* Begins another run; keeps the present one on failure, and owns the setup on success. */
sim_outcome view_begin(view_session* session, view_setup* setup, tool_message* why);

/* Back to the first state of the run. */
bool view_begin_anew(view_session* session, tool_message* why);

/* Setup of a scene with the viewer's sets, or without. False without memory. */
bool view_setup_make(view_setup* setup, const char* name, bool plain, tool_message* why);
bool view_setup_add(view_setup* setup, const char* assignment, tool_message* why);
void view_setup_free(view_setup* setup);

// ---- commands.c ----

/* Runs a command. `is_replay`: from a recording, with the member "step". */
bool view_run_command(view_session* session, const view_json_line* line, bool is_replay,
                      bool* is_recorded, tool_message* why);

// ---- recording.c ----

/* Begins the recording with the scene. False without memory. */
bool view_record_scene(view_session* session);
void view_record_reset(view_recording* recording);
/* Appends a command as received. */
void view_record(view_session* session, const char* line, size_t length);
/* Replays the commands due before the next step; false if one failed. */
bool view_replay_due(view_session* session, tool_message* why);

// ---- model.c ----

bool view_model_make(view_model* model, const sim_run* run, double line_radius, tool_message* why);
void view_model_free(view_model* model);

/* True if faces, lines or colliders have changed since the last topology, by their counts. */
bool view_model_has_changed(const view_session* session);

/* Reads faces, links and colliders if the session's topology is newer. False without memory. */
bool view_model_refresh(view_session* session);

// ---- detail.c ----

/* Chooses the points of the model, whose faces have been read. False without memory. */
bool view_detail_make(view_detail* detail, const view_model* model, uint32_t most_points);
void view_detail_free(view_detail* detail);

/* Lists the particles and faces that the points need, for a new detail or new faces. False without
 * memory. */
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

/* Appends the overlay of a frame, whose positions have been read. False without memory. */
bool view_put_overlay(view_session* session, view_bytes* out);

/* Records spans of the workers from the next step on if the overlay shows them. */
void view_record_spans(const view_session* session);

// ---- bytes ----

bool view_put(view_bytes* out, const void* data, size_t size);
bool view_put_u32(view_bytes* out, uint32_t value);
bool view_put_f32(view_bytes* out, double value);
bool view_put_f64(view_bytes* out, double value);
/* Room for `size` bytes; NULL without memory. */
void* view_put_room(view_bytes* out, size_t size);
bool view_print(view_bytes* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
/* A JSON text with its quotation marks. */
bool view_print_text(view_bytes* out, const char* text);

#endif
