/* Scenes and settings in which ranks have the bits of a single world. */
#ifndef TESTS_SUPPORT_CLUSTER_CASES_H
#define TESTS_SUPPORT_CLUSTER_CASES_H

#include <stdbool.h>

#include "weft/weft.h"

typedef struct cluster_case {
  const char* name;
  weft_scene* (*build)(void);
  void (*define)(weft_world_def* def);    // may be NULL
  weft_result (*set)(weft_world* world);  // before the first step; may be NULL
  bool is_torn;                           // some links tear
  // half of the way, in a synchronized world; may be NULL
  weft_result (*change)(weft_world* world);
} cluster_case;

enum { CLUSTER_CASES = 28 };
extern const cluster_case cluster_cases[CLUSTER_CASES];

#endif
