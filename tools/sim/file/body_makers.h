/* Body types of <weft/bodies.h>, from body_flat.c and body_grown.c. */
#ifndef TOOLS_SIM_FILE_BODY_MAKERS_H
#define TOOLS_SIM_FILE_BODY_MAKERS_H

#include "sim/cloth.h"
#include "sim/file/bodies.h"

/* Reports a library error at the body's key. */
bool sim_check_body(const sim_source* source, const sim_place* place, const sim_body* body,
                    weft_result result);

/* Rows of all bodies in a plane; `at`: offset of a member of the def. */
#define SIM_PLANE_FIELDS(at, middle)                              \
  SIM_KEY_OF(at, VECTOR, origin, "metres, of " middle),           \
      SIM_KEY_OF(at, VECTOR, across, "unit vector to the right"), \
      SIM_KEY_OF(at, VECTOR, up, "unit vector at right angles to it")

#define SIM_TEAR_FIELD(at, links)                 \
  SIM_RANGE_OF(at, FLOAT, tear_ratio, 0, FLT_MAX, \
               "length / rest length at which " links " break, above 1; 0 = never")

#define SIM_LINK_FIELDS(at)                                                       \
  SIM_RANGE_OF(at, FLOAT, relaxation, 1e-6, 1, "of its links"),                   \
      SIM_RANGE_OF(at, FLOAT, compliance, 0, 1e12, "metres per newton, of each"), \
      SIM_TEAR_FIELD(at, "links")

/* Contact and air of a body. */
#define SIM_COLLISION(at)                                                             \
  {                                                                                   \
    "collision", SIM_FIELD_CHOICE, at(collision), false, false, 0, 0, sim_collisions, \
        "with cloth, bodies and colliders"                                            \
  }
#define SIM_CONTACT_FIELDS(at, usual)                                                       \
  SIM_RANGE_OF(at, FLOAT, thickness, 0, 1e3, "metres that contacts keep; 0 = " usual),      \
      SIM_RANGE_OF(at, FLOAT, friction, 0, 1000, "Coulomb coefficient"), SIM_COLLISION(at), \
      SIM_KEY_OF(at, FLAG, in_air, "the scene has still air, unless it has a wind")

/* Defines a type around its table: defaults, and the call that adds it. */
#define SIM_BODY_OF(name, summary)                                                         \
  static void name##_defaults(void* value) {                                               \
    *(weft_##name##_def*)value = weft_default_##name##_def();                              \
  }                                                                                        \
  static const sim_table name##_table = {"bodies: " #name, summary,                        \
                                         SIM_TABLE_FIELDS(name##_fields),                  \
                                         sizeof(weft_##name##_def), name##_defaults};      \
  static bool add_##name(const sim_source* source, const sim_place* place, sim_body* body, \
                         weft_scene* scene) {                                              \
    return sim_check_body(source, place, body,                                             \
                          weft_scene_add_##name(scene, body->def, &body->made));           \
  }

extern const sim_table sim_composite_link_table;

extern const sim_body_type sim_body_particles, sim_body_composite, sim_body_rope, sim_body_rod,
    sim_body_circle, sim_body_box, sim_body_triangle, sim_body_tire, sim_body_double_pendulum,
    sim_body_ragdoll, sim_body_tree, sim_body_web, sim_body_ball;

#endif
