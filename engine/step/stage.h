/* Stages: all that the core knows of a module of engine/modules is a row for each of its stages.
 *
 * A row names a stage's state in one world, its work in the phases of a step, and how the world
 * asks it for more: memory, snapshots, measures, changes by the caller. Rows stand in the order of
 * modules.cmake, within each phase, too. Functions that a row leaves out are not called.
 *
 * The state is zeroed memory, which the world owns; its columns are the row's to allocate. */
#ifndef WEFT_STEP_STAGE_H
#define WEFT_STEP_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/aabb.h"
#include "base/archive.h"
#include "base/columns.h"
#include "base/pose.h"
#include "base/result.h"
#include "collision/setup.h"
#include "edit/link_values.h"
#include "parallel/step_context.h"
#include "scene/scene.h"
#include "step/attribute.h"
#include "step/settings.h"
#include "weft/weft.h"
#include "weft_modules.h"

/* Phases of a step, in this order: see step/step.h. */
typedef enum weft__phase {
  WEFT__PHASE_STEP,          /* before all else of the step */
  WEFT__PHASE_BROAD,         /* candidates of contacts, once a step */
  WEFT__PHASE_BEGIN,         /* of a substep */
  WEFT__PHASE_BEFORE_SWEEPS, /* after integration, which is a pass of its own then */
  WEFT__PHASE_ELASTICITY,    /* elements that are solved directly, before levels and sweeps */
  WEFT__PHASE_AFTER_SWEEPS,  /* constraints that are solved directly */
  WEFT__PHASE_SHARE,         /* in worlds that keep velocities: share of a partial substep */
  WEFT__PHASE_LIMITS,        /* after the share of a partial substep, before contacts */
  WEFT__PHASE_UNTANGLE,      /* before the contacts of cloth */
  WEFT__PHASE_CONTACTS,      /* after the contacts of cloth, before colliders and bounds */
  WEFT__PHASE_CONFIRM,       /* after the bounds: paths that nothing passes */
  WEFT__PHASE_END,           /* velocities, after all that moves particles */
  WEFT__PHASE_COUNT
} weft__phase;

struct weft__stepper;

/* Tables of a world that is being created: the schedule in claim_hinges(), with its order and
 * patches; all from create() on. */
typedef struct weft__build {
  const weft_scene* scene;
  const weft__settings* settings;
  const weft__physics* physics;
  uint8_t* solver;     /* weft__solver of each link, in the scene's order */
  bool* solved_hinges; /* hinges that are not swept, in the scene's order */
  weft__particles* particles;
  weft__schedule* schedule;
  struct weft__stepper* stepper;
} weft__build;

/* A change of the world that tables depend on. */
typedef struct weft__change {
  enum {
    WEFT__CHANGE_SUBSTEPS,
    WEFT__CHANGE_RATE,      /* length of the substep that constraints are solved for */
    WEFT__CHANGE_STRIDE,    /* the same for some components, until the next change */
    WEFT__CHANGE_MEMBERS,   /* particles were added or removed */
    WEFT__CHANGE_MASSES,    /* of particles */
    WEFT__CHANGE_TORN,      /* the link between `ends` acts no more, nor do its elements */
    WEFT__CHANGE_REMOVED,   /* particles that let go of all */
    WEFT__CHANGE_MATERIALS, /* of `count` particles; see `setup` */
    WEFT__CHANGE_PLACED,    /* `particle` is elsewhere: its contacts begin anew */
    WEFT__CHANGE_PAIRS,     /* other particles are pinned: pairs of bodies are outdated */
    WEFT__CHANGE_REST,      /* bodies fell asleep or woke: all lists of contacts are outdated */
    WEFT__CHANGE_TURNED,    /* particles of `users` were turned by a pose */
    WEFT__CHANGE_EDITED,    /* `users`: a call has placed or pushed them */
    WEFT__CHANGE_WAKE,      /* see weft__wake() and its like */
    WEFT__CHANGE_WAKE_ALL,
    WEFT__CHANGE_WAKE_NEAR,
    WEFT__CHANGE_DISTURB,
  } kind;
  const weft__settings* settings;
  uint32_t particle; /* in solver order */
  weft__range users; /* in the caller's order */
  const weft__pose* pose;
  uint32_t ends[2]; /* in solver order */
  weft__is_released* lets_go;
  const void* context; /* of lets_go */
  const weft__contact_setup* setup;
  struct weft__worker_pool* pool;
  uint32_t count;
  const weft__aabb* box;   /* metres */
  double inv_step_sq;      /* force over multiplier, 1/seconds^2 */
  double multiplier_scale; /* present substep's over the last one's */
} weft__change;

/* A change of the rest length or the compliance of a link. */
typedef struct weft__link_edit {
  weft__link_value value;
  uint32_t link; /* caller's order */
  const weft__lane* lane;
  float former, number;
} weft__link_edit;

typedef struct weft__link_state {
  const weft__particles* particles;
  const weft__lane* lane;
  float compliance; /* metres per newton */
  double tension;   /* newtons */
} weft__link_state;

/* A range of particles in a snapshot of its own. */
typedef struct weft__range_rows {
  uint32_t first, count; /* caller's order */
  const uint32_t* user_of;
  double ratio; /* length of this world's substep over that in the snapshot */
} weft__range_rows;

/* A bend element: |sum of coefficients times positions| = rest_length, see tables/hinges.h. */
typedef struct weft__hinge_element {
  uint32_t particle[4]; /* solver order; undefined where the coefficient is 0 */
  float coefficient[4];
  float rest_length;   /* metres */
  float compliance;    /* metres per newton */
  float multiplier[3]; /* kilogram metres, of the last substep; 0 where there are none */
} weft__hinge_element;

typedef void weft__visit_hinge(void* context, const weft__hinge_element* hinge);

/* Sums over constraints: see weft_measures. */
typedef struct weft__measure {
  const weft__particles* particles;
  const weft__schedule* schedule;
  double inv_step_sq;      /* 1/seconds^2, of the last substep */
  const uint32_t* strides; /* of components in it; NULL: all 1 */
  double elastic, pair;    /* joules */
  double residual_sq, max_residual;
  uint64_t residual_count;
} weft__measure;

/* Of a patch's last substep. */
static inline double weft__measure_rate(const weft__measure* sums, uint32_t patch) {
  if (sums->strides == NULL) return sums->inv_step_sq;
  const double stride = sums->strides[sums->schedule->component[patch]];
  return sums->inv_step_sq / (stride * stride);
}

static inline void weft__measure_residual(weft__measure* sums, double residual) {
  const double size = residual < 0.0 ? -residual : residual;
  sums->residual_sq += residual * residual;
  if (size > sums->max_residual) sums->max_residual = size;
  ++sums->residual_count;
}

/* Parts of scenes and defs that are refused without their module. */
typedef enum weft__service {
  WEFT__SERVES_VELOCITIES = 1, /* integrators, springs, pair forces */
  WEFT__SERVES_RODS = 2,
  WEFT__SERVES_BODIES = 4, /* contacts between spheres, boxes, ellipsoids; rotation */
  WEFT__SERVES_CCD = 8,
  WEFT__SERVES_SLEEP = 16,
  WEFT__SERVES_BENDING = 32,
  WEFT__SERVES_RATES = 64, /* substeps by body, and by strain */
} weft__service;

typedef void weft__stage_run(void* state, weft__step_context* step);

/* Links. read and edit: true if the link acts only here; check_edit: an error if refused. */
typedef struct weft__stage_links {
  bool (*read)(const void* state, weft__link_state* link);
  bool (*prepare_edits)(void* state, const weft__schedule* schedule);
  weft_error (*check_edit)(const void* state, const weft__link_edit* edit);
  bool (*edit)(void* state, const weft__link_edit* edit);
} weft__stage_links;

/* Snapshots, where the columns of `table` are not all. visit saves, checks or loads the state;
 * discard frees tables that a restored world has replaced, or that a refused snapshot has brought.
 * `has_pairs`: lists and caches of contacts, in the order of the workers. */
typedef struct weft__stage_snapshots {
  void (*visit)(void* state, weft__archive* archive, const weft__contact_setup* setup);
  void (*visit_range)(void* state, weft__archive* archive, const weft__range_rows* of);
  void (*discard)(void* unwanted, const void* kept);
  bool has_pairs;
  /* columns that a world may lack */
  bool (*has_memory)(const void* state);
  bool (*add_memory)(void* state, const weft__particles* particles);
} weft__stage_snapshots;

typedef struct weft__stage {
  const char* name;         /* its first eight letters begin its part of a snapshot */
  weft_stage profile;       /* stage of the profile that its time counts for */
  size_t size;              /* bytes of the state */
  size_t bytes;             /* offset in the state of a size_t, the bytes of its columns; 0: none */
  const weft__table* table; /* columns of the state that snapshots hold; NULL: none */
  uint32_t serves;          /* weft__service, or-ed */
  const char* not_in_clusters; /* field that clusters refuse while it is on; NULL: none */

  /* Creation, false if out of memory. claim, before the schedule, marks links in build->solver;
   * claim_hinges marks hinges, with their tables; create allocates the other tables; start shares
   * the work out to the workers. */
  bool (*claim)(void* state, const weft__build* build);
  bool (*claim_hinges)(void* state, const weft__build* build);
  bool (*create)(void* state, const weft__build* build);
  bool (*start)(void* state, uint32_t worker_count);
  void (*destroy)(void* state);

  uint32_t (*useful_workers)(const void* state);

  /* False where the phases have nothing to do. */
  bool (*is_on)(const void* state);
  weft__stage_run* run[WEFT__PHASE_COUNT];

  /* Columns of the particles that a phase may change, a mask: checked unless NDEBUG is defined. */
  uint32_t writes[WEFT__PHASE_COUNT];
  /* Particles of other processes that a phase reads; rows are found in the state. */
  weft__halo_read reads[WEFT__PHASE_COUNT];

  void (*changed)(void* state, const weft__change* change);

  /* Sums; measure is false if out of memory. */
  bool (*measure)(const void* state, weft__measure* sums);
  void (*count)(const void* state, weft_contact_stats* stats);
  uint64_t (*hash)(const void* state, uint64_t hash);

  /* Integration of particles [begin, end) in place of the core's. */
  void (*move)(const void* state, weft__step_context* step, uint32_t begin, uint32_t end);

  weft__stage_links links;
  const weft__attribute* attributes; /* rows, up to one of size 0; NULL: none */

  void (*visit_hinges)(const void* state, weft__visit_hinge* visit, void* context);

  /* Memory for the present contact materials. Tables never shrink, so that another call for a
   * former setup cannot fail. prepare_last comes when nothing else can fail, as it loses outdated
   * tables. connect, also after a restore: pointers to other tables. */
  bool (*prepare)(void* state, const weft__contact_setup* setup);
  bool (*prepare_last)(void* state, const weft__contact_setup* setup);
  void (*connect)(void* state, const weft__contact_setup* setup);

  /* Faces of the world and of strands; particles whose contacts by thickness the stage takes over
   * [particle_count]. NULL: none. */
  const weft__faces* (*joined_faces)(const void* state);
  const uint8_t* (*tangled)(const void* state);

  weft__stage_snapshots snapshots;
} weft__stage;

/* ends with NULL */
extern const weft__stage* const weft__stages[WEFT__STAGE_COUNT + 1];

/* States of a world's stages, in the order of the rows. */
typedef struct weft__stage_states {
  void* of[WEFT__STAGE_COUNT + 1];
  uint32_t runs[WEFT__PHASE_COUNT]; /* stages with work in a phase, a mask of rows */
  void* block;                      /* all states */
  size_t block_bytes;
} weft__stage_states;

/* WEFT_ERROR_UNSUPPORTED at a field whose service is wanted, if no module of this build has it. */
weft_result weft__stages_check(bool is_wanted, weft__service service, const char* field);

bool weft__stages_allocate(weft__stage_states* states);
bool weft__stages_claim(const weft__stage_states* states, const weft__build* build);
bool weft__stages_create(const weft__stage_states* states, const weft__build* build);

/* Frozen schedule: see weft__freeze(). The stages claim hinges. */
bool weft__stages_freeze(weft__stage_states* states, weft__schedule* schedule,
                         const weft_scene* scene);
void weft__stages_visit_hinges(const weft__stage_states* states, weft__visit_hinge* visit,
                               void* context);
bool weft__stages_prepare(const weft__stage_states* states, const weft__contact_setup* setup);
bool weft__stages_prepare_last(const weft__stage_states* states, const weft__contact_setup* setup);
void weft__stages_connect(const weft__stage_states* states, const weft__contact_setup* setup);
const weft__faces* weft__stages_joined_faces(const weft__stage_states* states);
const uint8_t* weft__stages_tangled(const weft__stage_states* states);
bool weft__stages_start(const weft__stage_states* states, uint32_t worker_count);
void weft__stages_destroy(weft__stage_states* states);

/* States of another world of the same stages and content; tables are shared. False if out of
 * memory; to be released with weft__free(copy->block). */
bool weft__stages_copy(weft__stage_states* copy, const weft__stage_states* from);
size_t weft__stages_bytes(const weft__stage_states* states);
uint32_t weft__stages_useful_workers(const weft__stage_states* states);

/* WEFT__STAGE_COUNT: the core integrates. */
uint32_t weft__stages_mover(const weft__stage_states* states);

bool weft__stages_act(const weft__stage_states* states, weft__phase phase);
void weft__stages_run(const weft__stage_states* states, weft__phase phase,
                      weft__step_context* step);
bool weft__stages_measure(const weft__stage_states* states, weft__measure* sums);
void weft__stages_count(const weft__stage_states* states, weft_contact_stats* stats);
uint64_t weft__stages_hash(const weft__stage_states* states, uint64_t hash);
bool weft__stages_prepare_edits(const weft__stage_states* states, const weft__schedule* schedule);
weft_error weft__stages_check_edit(const weft__stage_states* states, const weft__link_edit* edit);
bool weft__stages_edit(const weft__stage_states* states, const weft__link_edit* edit);
bool weft__stages_read_link(const weft__stage_states* states, weft__link_state* link);

/* Row of an attribute of a module; NULL if no module of this build has it. */
const weft__attribute* weft__stages_attribute(weft_attribute id);

void weft__stages_changed(const weft__stage_states* states, const weft__change* change);

/* Sleepers of a module: each call begins the time at rest anew, and wakes the body of a particle,
 * in solver order; all bodies; bodies near a box; the body of a particle and bodies near it, which
 * lose its support or find it elsewhere. */
void weft__wake(const weft__stage_states* states, uint32_t particle);
void weft__wake_all(const weft__stage_states* states);
void weft__wake_near(const weft__stage_states* states, const weft__aabb* box);
void weft__disturb(const weft__stage_states* states, uint32_t particle);

#endif
