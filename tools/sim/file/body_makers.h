/* Types of bodies that <weft/bodies.h> makes: those of body_flat.c and body_grown.c. */
#ifndef TOOLS_SIM_FILE_BODY_MAKERS_H
#define TOOLS_SIM_FILE_BODY_MAKERS_H

#include "sim/file/bodies.h"

/* Reports an error of the library at the key of the body that it is about. */
bool sim_check_body(const sim_source* source, const sim_place* place, const sim_body* body,
                    weft_result result);

/* The rows that all bodies have which lie in a plane. */
#define SIM_PLANE_FIELDS(middle)                                                                \
  SIM_OF_DEF("origin", "metres, of " middle), SIM_OF_DEF("across", "unit vector to the right"), \
      SIM_OF_DEF("up", "unit vector at right angles to it")

#define SIM_TEAR_FIELD(links) \
  SIM_OF_DEF("tear_ratio", "length / rest length at which " links " break, above 1; 0 = never")

#define SIM_LINK_FIELDS                     \
  SIM_OF_DEF("relaxation", "of its links"), \
      SIM_OF_DEF("compliance", "metres per newton, of each"), SIM_TEAR_FIELD("links")

/* Defines what a type needs around its table: the call that adds it. */
#define SIM_BODY_OF(name, summary)                                                         \
  static const sim_table name##_table = {"bodies: " #name, summary,                        \
                                         SIM_DEF_FIELDS(name##_fields, name, 0),           \
                                         sizeof(weft_##name##_def), NULL};                 \
  static bool add_##name(const sim_source* source, const sim_place* place, sim_body* body, \
                         weft_scene* scene) {                                              \
    return sim_check_body(source, place, body,                                             \
                          weft_scene_add_##name(scene, body->def, &body->made));           \
  }

/* A link of a composite: its ends. */
extern const sim_table sim_composite_link_table;

extern const sim_body_type sim_body_particles, sim_body_composite, sim_body_rope, sim_body_rod,
    sim_body_circle, sim_body_box, sim_body_triangle, sim_body_tire, sim_body_double_pendulum,
    sim_body_ragdoll, sim_body_tree, sim_body_web, sim_body_ball;

#endif
