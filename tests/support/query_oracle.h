/* All elements of a world as solid bodies, by what a caller can read of it, and simple ways to find
 * what is near and what a ball meets: the nearest point of each by itself, and steps along a way
 * that are as long as what is nearest is far. */
#ifndef TESTS_SUPPORT_QUERY_ORACLE_H
#define TESTS_SUPPORT_QUERY_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "support/random.h"
#include "weft/weft.h"

typedef enum thing_form { BALL, BOX, ELLIPSOID, SEGMENT, TRIANGLE, HALF_SPACE, PLANE } thing_form;

typedef struct thing {
  weft_element_kind kind;
  uint32_t index;
  thing_form form;
  double corner[3][3]; /* the middle, or the corners */
  double axis[3][3];   /* of its own frame */
  double half[3];
  double radius; /* around all that */
  bool has_contact;
  uint32_t category;
} thing;

typedef struct thing_list {
  thing* items;
  uint32_t count;
} thing_list;

/* A world of cloth, a rope and a cloud, contacts and colliders, all within some metres of 0. */
typedef struct query_scene {
  weft_scene* scene;
  weft_world* world;
  weft_particle_shape_def* contacts; /* [particle_count] */
  bool* has_contact;
  weft_collider_def colliders[8];
  uint32_t collider_count;
  uint32_t* triangles; /* as the world had them at first */
  uint32_t triangle_count;
} query_scene;

query_scene new_query_scene(uint64_t seed, uint32_t workers, weft_isa isa);
void free_query_scene(query_scene* scene);

/* All that is there now; free the items. */
thing_list list_things(const query_scene* scene);

/* How far it is, 0 inside, and its place nearest to a point. */
double thing_apart(const thing* it, const double point[3], double nearest[3]);

/* It, larger or smaller by about so much. */
thing grown_thing(const thing* it, double by);

/* How far a ball goes until it meets it; infinite = it does not. Never too far where `never_late`,
 * else never too short. */
double march_to(const thing* it, const double from[3], const double direction[3], double length,
                double radius, bool never_late);

/* How far it is from a box. */
double thing_from_box(const thing* it, const float lower[3], const float upper[3]);

/* Whether a question with this filter is about it. */
bool thing_is_asked(const thing* it, const weft_query_filter_def* filter);

#endif
