/* The matrix of laws that hold between the parts of weft.
 *
 *     law      one function that measures how far a case falls short
 *     body  }
 *     path  }  rows: a body, its way of contact, the settings of its world
 *     setting }
 *
 * A law applies to a case by the traits of its rows, never by their names, so that a new row gets
 * all laws with it. The suites run a cover of all pairs, tools/laws.sh the full product. A case
 * that falls short today is listed in known.txt with its figure. */
#ifndef TESTS_LAWS_LAWS_H
#define TESTS_LAWS_LAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft/weft.h"

/* ---- rows ------------------------------------------------------------------------------------ */

/* Traits of a case: its body's, path's and setting's together. */
typedef enum law_trait {
  /* bodies */
  TRAIT_FREE = 1 << 0,  /* nothing of the body is pinned */
  TRAIT_AXIS = 1 << 1,  /* pinned along one vertical axis only */
  TRAIT_HELD = 1 << 2,  /* pinned otherwise */
  TRAIT_FACES = 1 << 3, /* the body has triangles */
  TRAIT_LINKS = 1 << 4, /* the body is only particles and links */
  TRAIT_LIES = 1 << 5,  /* the body is flat: it lies, and does not roll */
  TRAIT_LUMPS = 1 << 6, /* particles are far apart: each can be a sphere */
  TRAIT_TENSE = 1 << 7, /* colliders bear the body and measure loads */
  TRAIT_PARTS = 1 << 8, /* the body is several bodies */
  /* paths; FLOOR also for bodies */
  TRAIT_ALOFT = 1 << 9,   /* no contact at all */
  TRAIT_INNER = 1 << 10,  /* contacts of the body with itself only */
  TRAIT_LOADS = 1 << 11,  /* colliders bear the body, and measure loads */
  TRAIT_FLOOR = 1 << 12,  /* the body is borne wherever it goes */
  TRAIT_LEVEL = 1 << 13,  /* without friction nothing pushes the body sideways */
  TRAIT_SLOPE = 1 << 14,  /* a plane of one friction coefficient */
  TRAIT_GRIP = 1 << 15,   /* held from both sides by friction only */
  TRAIT_DRIVE = 1 << 16,  /* something moves by itself */
  TRAIT_PASSES = 1 << 17, /* the moving part goes through the body, and away */
  TRAIT_JERKS = 1 << 18,  /* the moving part starts and stops at once */
  TRAIT_EXACT = 1 << 19,  /* collision detection is continuous */
  /* settings */
  TRAIT_COARSE = 1 << 20, /* levels or attachments: no loads */
  TRAIT_GAINS = 1 << 21,  /* the integrator gains energy, as documented */
  TRAIT_ROUGH = 1 << 22,  /* substeps too few for figures of accuracy */
  TRAIT_UNTIL = 1 << 23,  /* iterations end by the error of all bodies together */
} law_trait;

typedef struct law_body {
  const char* name;
  uint32_t traits;
  uint32_t size;   /* parameter of the builder: particles of a ring, say */
  float thickness; /* metres: radius of its particles in contacts */
  /* in the xy plane if it is flat, about the origin, 0.3 to 1 m wide */
  void (*build)(weft_scene* scene, uint32_t size);
} law_body;

/* Pairs of particles that joints hold together in a world of the body, 0 of most, and the k-th. */
uint32_t law_joints(const law_body* body);
void law_join(const law_body* body, uint32_t k, uint32_t pair[2]);

typedef struct law_trial law_trial;

typedef struct law_path {
  const char* name;
  uint32_t traits;
  uint32_t needs, excludes; /* traits of the body */
  weft_particle_shape shape;
  uint32_t kind;                  /* collider kind */
  void (*add)(weft_scene* scene); /* particles that the body falls on, or NULL */
  void (*open)(law_trial* trial); /* colliders and bounds, or NULL */
  void (*move)(law_trial* trial); /* before each step, or NULL */
} law_path;

typedef struct law_setting {
  const char* name;
  uint32_t traits;
  uint32_t needs, excludes; /* traits of body and path */
  void (*apply)(weft_world_def* def);
} law_setting;

extern const law_body law_bodies[];
extern const law_path law_paths[];
extern const law_setting law_settings[];
extern const uint32_t law_body_count, law_path_count, law_setting_count;

/* ---- laws ------------------------------------------------------------------------------------ */

typedef struct law_case {
  uint32_t law, body, path, setting;
} law_case;

typedef struct law {
  const char* name;
  const char* statement;
  const char* unit; /* unit of figure and bound */
  double bound;
  uint32_t needs, excludes;
  const char* suite; /* suite that runs its cover */
  /* the figure: at most `bound` where the law holds */
  double (*measure)(const law_case* c);
} law;

extern const law laws[];
extern const uint32_t law_count;

/* True if the rows go together and the law applies to them. */
bool law_applies(const law_case* c);

/* Figures that are no numbers are infinite. */
double law_measure(const law_case* c);

/* Index of the row of a name, or UINT32_MAX. */
uint32_t law_find_name(const char* name, const void* rows, uint32_t count, size_t size);

/* ---- cases ----------------------------------------------------------------------------------- */

typedef struct law_cases {
  law_case* items;
  uint32_t count;
} law_cases;

/* All cases that apply, or a cover: each pair of a law, a body, a path and a setting that goes
 * together is in one of its cases, and each law and body in one with the default setting. The same
 * in every run. Freed by the caller. */
law_cases law_all_cases(void);
law_cases law_cover(void);

/* The case of "law body path setting"; false if there is none. */
bool law_find_case(const char* names, law_case* c);

enum { LAW_CASE_SIZE = 128 };
void law_format_case(const law_case* c, char text[LAW_CASE_SIZE]);

/* ---- known ----------------------------------------------------------------------------------- */

typedef enum law_verdict {
  LAW_HOLDS,
  LAW_KNOWN,  /* falls short, as listed */
  LAW_BROKEN, /* falls short, and is not listed */
  LAW_WORSE,  /* falls shorter than listed */
  LAW_BETTER, /* falls less short than listed: the list is out of date */
} law_verdict;

typedef struct law_known {
  law_case of;
  double figure;
} law_known;

typedef struct law_known_list {
  law_known* items;
  uint32_t count;
} law_known_list;

/* Reads the list from a file; without one it is empty. A line that names no case ends the program,
 * or with `skips` is left out with a warning. Freed by the caller. */
law_known_list law_read_known(const char* path, bool skips);

/* Rewrites the file. False if it cannot be written. */
bool law_write_known(const char* path, const law_known_list* list);

/* The verdict on a figure. Figures far beyond a bound are chaotic, so that listed ones have a
 * tolerance of a quarter, or of a quarter of their decades beyond the bound. */
law_verdict law_judge(const law_known_list* known, const law_case* c, double figure);
const char* law_verdict_name(law_verdict verdict);

#endif
