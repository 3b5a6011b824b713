/* Calls that take a def, for tests that hold each field to its row of base/defs.c. */
#ifndef TESTS_SUPPORT_DEF_CALLS_H
#define TESTS_SUPPORT_DEF_CALLS_H

#include "base/fields.h"

/* A call with a def, and the rows that count there. */
typedef struct def_call {
  const weft__fields* fields;
  weft_result (*call)(const void* def);
  void (*fill)(void* def); /* sets required fields; NULL = none */
  const char* rows;        /* names of members; NULL = all but conditional ones */
  const char* error_field; /* in place of the row's name, if not NULL */
  uint32_t elements;       /* elements of arrays that count; 0 = all */
} def_call;

typedef union any_def {
  weft_link_def link;
  weft_material_def material;
  weft_sheet_def sheet;
  weft_mesh_def mesh;
  weft_force_curve_def force_curve;
  weft_pair_force_def pair_force;
  weft_solver_def solver;
  weft_surface_def surface;
  weft_world_def world;
  weft_threads_def threads;
  weft_rope_def rope;
  weft_rod_def rod;
  weft_composite_def composite;
  weft_double_pendulum_def double_pendulum;
  weft_ball_def ball;
  weft_cloth_def cloth;
  weft_particle_shape_def particle_shape;
  weft_collider_def collider;
  weft_vertices_def vertices;
  weft_joint_def joint;
  weft_seam_def seam;
} any_def;

extern const def_call def_calls[];
extern const int def_call_count;

void make_def_world(void);
#endif
