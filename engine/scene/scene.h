/* The caller's description of a world, in the caller's order. */
#ifndef WEFT_SCENE_SCENE_H
#define WEFT_SCENE_SCENE_H

#include "base/check.h"
#include "base/range.h"
#include "base/result.h"
#include "scene/curves.h"
#include "scene/pair_set.h"
#include "tables/hinges.h"
#include "tables/links.h"
#include "tables/membranes.h"

typedef struct weft__part {
  uint32_t first_particle;
  uint32_t particle_count;
  uint32_t columns;      /* columns of a lattice numbered row by row; else 0 */
  uint32_t lattice_rows; /* the lattice's, if this part is some of its rows; 0: all */
  bool fine_only;        /* not on coarse levels */
  bool is_unattached;    /* its pins are no anchors of long-range attachments; in a world's view */
  bool is_reserved;      /* for particles that come and go in a world */
  uint32_t environment;  /* see weft/environments.h */
  uint32_t patch_key;    /* no patch has parts of two; in a world's view its rate group */
  uint32_t first_triangle; /* meshes: [first_triangle, first_triangle + triangle_count) */
  uint32_t triangle_count;
  void* user_data; /* the host's */
} weft__part;

/* In a closed body of consecutive parts. */
typedef struct weft__pressure_body {
  size_t first_part, end_part; /* [first_part, end_part) */
  float pressure;              /* pascals above ambient, > 0 */
  double volume;               /* cubic metres at that pressure, > 0 */
} weft__pressure_body;

/* Links with bend and twist stiffness. */
typedef struct weft__rod {
  uint32_t first_particle, first_link, segments;
  uint32_t keeps_shape;   /* its shape is at rest as given; else `rest` */
  uint32_t is_clamped[2]; /* first and last end */
  double stiffness[3];    /* N m2: about first and second material axis, and about the rod */
  double inertia;         /* kg m: about the rod, per metre */
  double normal[3];       /* first material axis of the first segment, or 0 */
  double twist;           /* radians per metre, of frames as given */
  double rest[3];         /* radians per metre: curvatures and twist at rest */
} weft__rod;

/* Contact of particles [first, first + count) when a world begins. */
typedef struct weft__shape_run {
  uint32_t first, count;
  weft_particle_shape_def shape;
} weft__shape_run;

/* With sheets' triangles, corners can be counted in 32 bits. */
#define WEFT__MAX_TRIANGLES (1u << 29)

struct weft_scene {
  uint32_t particle_count;
  /* particles of a patch of several small bodies, at most, in a world's view; 0: the usual limit */
  uint32_t shared_patch;
  /* vertices of a mesh that is bent directly, at most; a world's */
  uint32_t direct_bends;
  size_t position_capacity; /* floats */
  size_t mass_capacity;
  float* positions;      /* metres [particle_count][3] */
  float* inverse_masses; /* 1/kg [particle_count] */

  weft__links links;
  weft__force_curves curves;
  weft__hinges hinges; /* bend elements */
  weft__membranes membranes;
  weft__pair_set linked; /* links [0, linked_count), updated on demand */
  uint32_t linked_count;

  weft__part* parts; /* cover all particles, in order [part_count] */
  size_t part_count;
  size_t part_capacity;

  uint32_t* triangles; /* meshes' corners [triangle_count][3] */
  uint32_t triangle_count;
  size_t triangle_capacity; /* corners */

  weft__pressure_body* pressures; /* ascending and disjoint [pressure_count] */
  size_t pressure_count;
  size_t pressure_capacity;

  weft__rod* rods; /* ascending and disjoint [rod_count] */
  uint32_t rod_count;
  size_t rod_capacity;

  weft__shape_run* shape_runs; /* later ones override [shape_run_count] */
  uint32_t shape_run_count;
  size_t shape_run_capacity;

  bool has_wind;
  weft_wind_def wind;
};

/* Reservations change nothing if they fail; particles are of one part. */
weft_result weft__scene_reserve(weft_scene* scene, uint64_t more_particles, uint64_t more_links);

weft_result weft__scene_reserve_hinges(weft_scene* scene, uint64_t more);

weft_result weft__scene_reserve_membranes(weft_scene* scene, uint64_t more);

weft_result weft__scene_reserve_triangles(weft_scene* scene, uint64_t more);

/* The caller fills in the particles; room must be reserved. Returns the first particle. */
uint32_t weft__scene_push_part(weft_scene* scene, uint32_t particle_count, uint32_t columns);

/* Of points and spheres, one radius; else 3. */
uint32_t weft__shape_size_count(weft_particle_shape shape);

/* All but what a world is built with. */
weft_result weft__check_particle_shape(const weft_particle_shape_def* shape);

/* Checked shape; later runs override. */
weft_result weft__scene_push_shape(weft_scene* scene, uint32_t first, uint32_t count,
                                   const weft_particle_shape_def* shape);

/* Forgets the shapes of particles that have been taken back. */
void weft__scene_clip_shapes(weft_scene* scene);

weft_result weft__check_sheet_def(const weft_sheet_def* def);

/* Rows of a sheet as in the whole one, with links between them and bend elements along rows;
 * `has_columns`: also along and between columns. */
weft_result weft__scene_add_sheet_rows(weft_scene* scene, const weft_sheet_def* def,
                                       weft__range rows, bool has_columns);

/* Columns of a sheet, row by row, with bend elements along and between columns, without links.
 * Positions and masses are not set. */
weft_result weft__scene_add_sheet_columns(weft_scene* scene, const weft_sheet_def* def,
                                          weft__range columns);

/* Particle numbered row by row, metres. */
void weft__sheet_position(const weft_sheet_def* def, uint32_t particle, float position[3]);

bool weft__sheet_bends(const weft_sheet_def* def);

typedef struct weft__scene_mark {
  size_t part_count;
  uint32_t particle_count;
  uint32_t link_count;
  uint32_t hinge_count;
  uint32_t membrane_count;
  uint32_t triangle_count;
  uint32_t rod_count;
} weft__scene_mark;

weft__scene_mark weft__scene_get_mark(const weft_scene* scene);

/* Parts added since must have no pressure. */
void weft__scene_roll_back(weft_scene* scene, const weft__scene_mark* mark);

/* [particle_count] */
void weft__scene_list_parts(const weft_scene* scene, uint32_t* part_of);

size_t weft__scene_part_of(const weft_scene* scene, uint32_t particle);

/* [*first, *end) are exactly the body's particles; else an error at "body". */
weft_result weft__scene_find_parts(const weft_scene* scene, const weft_body* body, size_t* first,
                                   size_t* end);

uint32_t weft__scene_environment_count(const weft_scene* scene);

/* Links and gas must not join environments. */
weft_result weft__scene_check_environments(const weft_scene* scene);

/* Everything added since. */
weft_body weft__scene_body_since(const weft_scene* scene, uint32_t first_particle,
                                 uint32_t first_link);

/* Sine for x from 0 to pi / 2, the same bits on all machines. */
double weft__sine_of(double x);

/* Metres. */
float weft__scene_distance(const weft_scene* scene, uint32_t a, uint32_t b);

#endif
