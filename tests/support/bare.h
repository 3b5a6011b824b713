/* Ready-made bodies of mechanics only: nothing touches them, and they feel no air. */
#ifndef TESTS_SUPPORT_BARE_H
#define TESTS_SUPPORT_BARE_H

#include "weft/weft.h"

static inline weft_rope_def bare_rope_def(void) {
  weft_rope_def def = weft_default_rope_def();
  def.collision = WEFT_COLLISION_NONE;
  def.in_air = false;
  return def;
}

static inline weft_rod_def bare_rod_def(void) {
  weft_rod_def def = weft_default_rod_def();
  def.rope = bare_rope_def();
  return def;
}

static inline weft_ball_def bare_ball_def(void) {
  weft_ball_def def = weft_default_ball_def();
  def.collision = WEFT_COLLISION_NONE;
  def.in_air = false;
  return def;
}

#endif
