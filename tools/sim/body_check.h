/* Bodies of a scene: counts, borders, faults of meshes, lengths of edges. */
#ifndef TOOLS_SIM_BODY_CHECK_H
#define TOOLS_SIM_BODY_CHECK_H

#include "common/message.h"
#include "weft/weft.h"

/* A body, and the consecutive ones after it with the same counts. */
typedef struct sim_body_check {
  weft_body range;         /* its particles, and its first links in a row */
  uint32_t bodies;         /* alike */
  uint32_t link_count;     /* between its own particles */
  uint32_t face_count;     /* of three own particles */
  uint32_t unlinked_count; /* particles without a link */
  /* edges of one face, and the loops or lines that they form; 0 of a closed body */
  uint32_t border_edge_count, border_count;
  uint32_t crowded_count;         /* edges of three faces or more */
  uint32_t turned_count;          /* edges whose two faces wind opposite ways */
  uint32_t edge_count;            /* structural links */
  double shortest, mean, longest; /* metres: rest lengths of these */
  uint32_t substeps;              /* that the world takes for the body */
  const char* reason;             /* of the substeps */
} sim_body_check;

/* Checks all bodies of a world and its scene: rows [count], to be freed; NULL after a failure. */
sim_body_check* sim_check_bodies(const weft_scene* scene, const weft_world* world, uint32_t* count,
                                 tool_message* why);

#endif
