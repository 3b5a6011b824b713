#include "support/questions.h"
#include "support/ask.h"

#include <math.h>

#include "support/suite.h"

static weft_query_def random_filter(random_source* random) {
  weft_query_def filter = weft_default_query_def();
  if (random_chance(random, 2)) return filter;
  filter.particles = !random_chance(random, 3);
  filter.links = !random_chance(random, 3);
  filter.faces = !random_chance(random, 3);
  filter.colliders = !random_chance(random, 3);
  if (random_chance(random, 2)) filter.mask = random_below(random, 8);
  return filter;
}

question random_question(random_source* random, question_kind kind) {
  question q = {.kind = kind, .capacity = random_below(random, ROOM + 1)};
  for (int k = 0; k < 3; ++k) {
    q.from[k] = random_float(random, -1.5f, 2.5f);
    q.to[k] = random_float(random, -1.5f, 2.5f);
    if (kind == IN_BOX && q.from[k] > q.to[k]) {
      const float kept = q.from[k];
      q.from[k] = q.to[k];
      q.to[k] = kept;
    }
  }
  // some boxes are flat, some segments are parallel to a plane of the axes
  if (random_chance(random, 4)) q.to[random_below(random, 3)] = q.from[0];
  for (int k = 0; k < 3; ++k) {
    if (kind == IN_BOX && q.from[k] > q.to[k]) q.to[k] = q.from[k];
  }
  q.size = kind == BALL_WAY || kind == NEAR ? random_float(random, 0.001f, 0.5f)
                                            : random_float(random, 0.1f, 5.0f);
  if (random_chance(random, 8)) q.size = kind == RAY || kind >= CLOSEST ? INFINITY : 0.0f;
  q.filter = random_filter(random);
  return q;
}

void direction_of(const question* q, float direction[3]) {
  for (int k = 0; k < 3; ++k) direction[k] = q->to[k] - q->from[k];
  if (direction[0] == 0.0f && direction[1] == 0.0f && direction[2] == 0.0f) direction[1] = 1.0f;
}

void ask(const weft_world* world, const question* q, answers* a) {
  memset(a, 0, sizeof(*a));
  float direction[3];
  direction_of(q, direction);
  switch (q->kind) {
    case RAY:
      expect_ok(ask_ray(world, q->from, direction, q->size, &q->filter, a->hits, &a->found));
      break;
    case WAY:
      expect_ok(ask_segment(world, q->from, q->to, &q->filter, a->hits, &a->found));
      break;
    case BALL_WAY:
      expect_ok(ask_cast(world, q->from, q->to, q->size, &q->filter, a->hits, &a->found));
      break;
    case NEAR:
      expect_ok(ask_sphere(world, q->from, q->size, &q->filter, q->capacity, a->hits, &a->count));
      break;
    case IN_BOX:
      expect_ok(ask_box(world, q->from, q->to, &q->filter, q->capacity, a->hits, &a->count));
      break;
    case CLOSEST:
      expect_ok(ask_closest(world, q->from, q->size, &q->filter, a->hits, &a->found));
      break;
    case NEAREST:
      expect_ok(ask_nearest(world, q->from, q->size, &q->filter, q->capacity, a->hits, &a->count));
      break;
  }
}

bool same_answers(const answers* a, const answers* b) {
  return memcmp(a, b, sizeof(*a)) == 0;
}
