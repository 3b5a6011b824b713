/* Which particles of a scene are held in place. */
#ifndef BENCH_PIN_RULE_H
#define BENCH_PIN_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/message.h"

typedef enum bench_pin_kind {
  BENCH_PIN_DEFAULT = 0, /* a sheet's top row, the top 2 % of a mesh */
  BENCH_PIN_NONE,
  BENCH_PIN_TOP_ROW, /* the top row of a sheet */
  BENCH_PIN_CORNERS, /* the two upper ones of a sheet; no word of --pin */
  BENCH_PIN_SIDE,    /* the given share of the scene's extent, from one side */
} bench_pin_kind;

typedef struct bench_pin_rule {
  bench_pin_kind kind;
  int axis;     /* 0 1 2 = x y z */
  bool highest; /* from the side where the coordinate is highest, or else lowest */
  double share; /* 0 to 1 of the extent along the axis */
} bench_pin_rule;

/* "none", "top-row", or SIDE:SHARE with a side of top, bottom (y), right, left (x), front, back
 * (z). */
bool bench_parse_pin(const char* option, const char* text, bench_pin_rule* rule, tool_message* why);

/* Writes the numbers of the particles that a side rule pins to `pinned` [count], and returns how
 * many they are. `positions` is [count][3]. */
uint32_t bench_pin_side(const bench_pin_rule* rule, const float* positions, uint32_t count,
                        uint32_t* pinned);

#endif
