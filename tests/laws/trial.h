/* A world of a case, and quantities of its body by independent formulas, in double precision. */
#ifndef TESTS_LAWS_TRIAL_H
#define TESTS_LAWS_TRIAL_H

#include "laws/laws.h"

enum { TRIAL_COLLIDERS = 4 };

typedef struct trial_def {
  float gravity[3];
  float damping;
  float friction;               /* the body's; the other side has none */
  float gap;                    /* metres between the body and its support */
  float offset[3], rotation[4]; /* first the body, then all; default none */
  bool loads, sleeps;
  bool uneven;      /* uneven steps of advance() */
  uint32_t shuffle; /* seed of other numbers of particles and links; 0 = as built */
  bool mirrored;    /* with `shuffle`: x is -x */
  void (*beside)(weft_scene* scene); /* adds another body; NULL = none */
  const weft_transport* transport;   /* rank of a cluster; NULL = a single world */
  uint32_t copies;                   /* environments, default 1 */
  uint32_t workers;                  /* 0 = the setting's */
  weft_isa isa;
} trial_def;

struct law_trial {
  const law_body* body;
  const law_path* path;
  const law_setting* setting;
  trial_def def;
  weft_world_def settings; /* in use */
  weft_scene* scene;
  weft_world* world;
  weft_cluster* cluster; /* rank's cluster, which has the world; else NULL */
  bool refused;          /* the cluster does not support the case */
  weft_body range;       /* first particles of the scene: the body's */
  uint32_t* number_of;   /* number of each particle of the body [count] */
  double* mass;          /* kilograms, 0 = pinned [count] */
  float* positions;      /* at the last trial_read() [particles of the scene][3] */
  float* velocities;
  float* first_positions; /* as made */
  weft_link_def* links;   /* the scene's; the first `link_count` are the body's */
  uint32_t* faces;        /* the scene's [face_count][3] */
  uint32_t count, link_count, face_count, scene_count, scene_link_count;
  weft_collider colliders[TRIAL_COLLIDERS];
  uint32_t collider_count;
  uint32_t step;
  double step_time, lag; /* seconds; `lag`: of velocities behind positions */
  double gas_constant;   /* joules: pressure times volume as made */
};

/* Ends the program if a call fails. */
#define must(call) trial_must(call, __FILE__, __LINE__)
void trial_must(weft_result result, const char* file, int line);

/* Gravity of 9.81 m/s2 downwards, no damping, no friction, 20 mm above the support. */
trial_def default_trial(void);

law_trial* trial_open(const law_case* c, const trial_def* def);
void trial_close(law_trial* trial);

void trial_step(law_trial* trial, uint32_t steps);
uint32_t trial_steps_of(const law_trial* trial, double seconds);

void trial_advance(law_trial* trial, int64_t elapsed_ns);

void trial_read(law_trial* trial);

/* Turns a vector like the trial. */
void trial_turn(const law_trial* trial, float vector[3]);

/* Adds a random velocity of up to `speed` along each axis to each free particle of the body. */
void trial_push(law_trial* trial, float speed, uint64_t seed);

/* Adds a rotation about the centre of mass, or about the vertical axis of pins: radians per second.
 */
void trial_spin(law_trial* trial, const float spin[3]);

void trial_throw(law_trial* trial, const float velocity[3]);

/* From the state last read. Potential energies belong to the time of the velocities. */
double trial_mass(const law_trial* trial);
double trial_kinetic(const law_trial* trial);
double trial_potential(const law_trial* trial); /* gravity */
double trial_elastic(const law_trial* trial);   /* links, bends, rods */
double trial_gas(const law_trial* trial);       /* up to a constant */
void trial_center(const law_trial* trial, double center[3]);
void trial_momentum(const law_trial* trial, double momentum[3]);
/* About the centre of mass, or the axis of pins; inertia is about the axis of the momentum,
 * roughly: half the trace. */
void trial_angular_momentum(const law_trial* trial, double momentum[3], double* inertia);
/* The centre of mass, or the first pin of a body that has some. */
void trial_pivot(const law_trial* trial, double pivot[3]);
/* Stores the body's gas for trial_gas(). */
void trial_begin_gas(law_trial* trial);
double trial_rms_speed(const law_trial* trial);
double trial_max_speed(const law_trial* trial);
/* Structural links of the body, or only links without a compliance. */
double trial_max_strain(const law_trial* trial, bool rigid);
double trial_extent(const law_trial* trial);
/* Pairs of an edge and a face that cross properly and share no particle. */
uint32_t trial_crossings(const law_trial* trial);

/* Snapshot of the world, freed by the caller. */
void* trial_save(const law_trial* trial, size_t* size);

#endif
