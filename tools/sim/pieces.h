/* Connected components of a world: particles joined by links that are not torn. */
#ifndef TOOLS_SIM_PIECES_H
#define TOOLS_SIM_PIECES_H

#include "common/message.h"
#include "weft/weft.h"

typedef struct sim_pieces {
  uint32_t particle_count;
  uint32_t link_count;
  uint32_t (*ends)[2]; /* particles of each link [link_count] */
  uint32_t* piece_of;  /* lowest particle of each particle's piece [particle_count] */
  uint32_t count;      /* pieces, after sim_pieces_find() */
} sim_pieces;

/* Copies the links of a scene. Destroy also after a failure. */
bool sim_pieces_create(sim_pieces* pieces, const weft_scene* scene, tool_message* why);
void sim_pieces_destroy(sim_pieces* pieces);

/* Finds the present pieces of the scene's world. Takes O(particles + links), nearly. */
void sim_pieces_find(sim_pieces* pieces, const weft_world* world);

#endif
