/* Queries of all kinds, through one call. */
#ifndef TESTS_SUPPORT_QUESTIONS_H
#define TESTS_SUPPORT_QUESTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/random.h"
#include "weft/weft.h"

enum { ROOM = 64 };

enum { QUESTION_KINDS = 7 };

typedef enum question_kind { RAY, WAY, BALL_WAY, NEAR, IN_BOX, CLOSEST, NEAREST } question_kind;

typedef struct question {
  question_kind kind;
  float from[3], to[3]; /* or the point; or the corners of the box */
  float size;           /* a radius, a length, a distance */
  uint32_t capacity;
  weft_query_def filter;
} question;

typedef struct answers {
  weft_query_hit hits[ROOM];
  uint32_t count;
  bool found;
} answers;

/* Random query within some metres of 0. */
question random_question(random_source* random, question_kind kind);

/* Direction of a ray: to - from, or along y if that is zero. */
void direction_of(const question* q, float direction[3]);

/* Runs the query and stores its results; all other bytes are 0. */
void ask(const weft_world* world, const question* q, answers* a);

bool same_answers(const answers* a, const answers* b);

#endif
