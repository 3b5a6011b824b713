/* All elements of a world as solid shapes, by the public API, and slow reference queries: nearest
 * points per element, and sphere casts by conservative advancement. */
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
  weft_collider collider; /* null unless it is one */
  thing_form form;
  double corner[3][3]; /* centre, or corners */
  double axis[3][3];   /* axes of the local frame */
  double half[3];
  double radius; /* rounding radius, around all of that */
  bool has_contact;
  uint32_t category;
} thing;

typedef struct thing_list {
  thing* items;
  uint32_t count;
} thing_list;

/* A world of a sheet, a mesh and a cloud with random links, particle shapes and colliders, all
 * within some metres of 0. */
typedef struct query_scene {
  weft_scene* scene;
  weft_world* world;
  weft_particle_shape_def* contacts; /* [particle_count] */
  bool* has_contact;
  weft_collider_def colliders[8];
  weft_collider added[8]; /* their handles */
  uint32_t collider_count;
  uint32_t* triangles; /* faces of the world at creation */
  uint32_t triangle_count;
} query_scene;

query_scene new_query_scene(uint64_t seed, uint32_t workers, weft_isa isa);
/* All current elements; the caller frees the items. */
thing_list list_things(const query_scene* scene);

/* Distance of an element from a point, 0 inside, and its nearest point. */
double thing_apart(const thing* it, const double point[3], double nearest[3]);

/* A copy of the element, grown by about this length; negative shrinks it. */
thing grown_thing(const thing* it, double by);

/* Distance that a sphere travels until it touches the element; infinite = no hit. A lower bound if
 * `never_late`, else an upper bound. */
double march_to(const thing* it, const double from[3], const double direction[3], double length,
                double radius, bool never_late);

/* Distance of an element from a box. */
double thing_from_box(const thing* it, const float lower[3], const float upper[3]);

/* True if a query with this filter includes the element. */
bool thing_is_asked(const thing* it, const weft_query_def* filter);

#endif
