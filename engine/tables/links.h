/* Links of a scene, in the caller's order. Optional columns are NULL until a link needs them. */
#ifndef WEFT_TABLES_LINKS_H
#define WEFT_TABLES_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "weft/weft.h"

/* Solver of a link. A lane keeps each link, whatever its solver: link_schedule.h. */
typedef enum weft__solver {
  WEFT__SOLVER_SWEEP,
  WEFT__SOLVER_DIRECT, /* compliant, in a tree: a sweep would apply its load a second time */
  WEFT__SOLVER_SPRING, /* a force: nothing is built on it */
  WEFT__SOLVER_ROD,    /* segment of a rod: nothing is built on it */
} weft__solver;

typedef struct weft__links {
  uint32_t count;
  uint32_t capacity;
  uint32_t* end_a;    /* [count] */
  uint32_t* end_b;    /* [count] */
  float* rest_length; /* metres [count] */
  float* relaxation;  /* 0 to 1 [count] */
  float* tear_ratio;  /* length / rest_length at which it breaks, 0: never [count] */
  float* compliance;  /* metres per newton [count] */
  uint8_t* kind;      /* weft_link_kind [count] */
  /* NULL if all are WEFT_LINK_MODE_BOTH */
  uint8_t* mode;         /* weft_link_mode [count] */
  float* max_length;     /* metres, of ranges, else 0 [count] */
  float* slack_below;    /* metres shorter than rest_length without force [count] */
  float* slack_above;    /* metres longer; either may be infinite [count] */
  float* spring_damping; /* newton seconds per metre; NULL if none [count] */
  uint32_t* force_curve; /* the scene's number, 0: none; NULL if none [count] */
  /* for a world's view of a scene, not owned; NULL: all are swept */
  const uint8_t* solver; /* weft__solver [count] */
} weft__links;

/* Room for `count` in total. Nothing is lost if it fails. */
bool weft__links_reserve(weft__links* links, uint32_t count);

/* Columns, up to the capacity, that one of `count` links needs. Nothing is lost if it fails. */
bool weft__links_add_columns(weft__links* links, const weft_link_def* list, uint32_t count);

/* Room must be reserved, its columns must exist. */
void weft__links_push(weft__links* links, weft_link_def link);

static inline weft_link_mode weft__links_mode(const weft__links* links, uint32_t index) {
  return links->mode == NULL ? WEFT_LINK_MODE_BOTH : (weft_link_mode)links->mode[index];
}

static inline weft__solver weft__links_solver(const weft__links* links, uint32_t index) {
  return links->solver == NULL ? WEFT__SOLVER_SWEEP : (weft__solver)links->solver[index];
}

/* Carries load as a constraint: resists stretch, and is no support, spring or segment of a rod. */
static inline bool weft__links_carry(const weft__links* links, uint32_t index) {
  return links->kind[index] != WEFT_LINK_SUPPORT &&
         weft__links_mode(links, index) <= WEFT_LINK_MODE_STRETCH &&
         weft__links_solver(links, index) < WEFT__SOLVER_SPRING;
}

weft_link_def weft__links_get(const weft__links* links, uint32_t index);
void weft__links_destroy(weft__links* links);

#endif
