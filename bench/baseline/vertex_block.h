/* Augmented Vertex Block Descent, for comparison: Giles, Diaz, Yuksel 2025, "Augmented Vertex Block
 * Descent", section 3, on Chen et al. 2024, "Vertex Block Descent".
 *
 * The same cloth as serial.h, vertex by vertex in the place of link by link: a 3 x 3 system over
 * all links of a vertex, vertices by colour. Links are hard constraints with a penalty that grows
 * and a multiplier that is kept from step to step. */
#ifndef BASELINE_VERTEX_BLOCK_H
#define BASELINE_VERTEX_BLOCK_H

#include <stdbool.h>

#include "baseline/serial.h"

typedef struct baseline_block_link {
  float rest_length;      /* metres */
  float multiplier;       /* N, positive pulls */
  float penalty;          /* N/m */
  float start_elongation; /* metres, at the start of the step */
} baseline_block_link;

typedef struct baseline_block_end {
  uint32_t other; /* particle at the other end */
  uint32_t link;
} baseline_block_end;

typedef struct baseline_blocks {
  uint32_t* order;            /* [vertex_count], free particles that have links, by colour */
  uint32_t* first_end;        /* [vertex_count + 1] */
  baseline_block_end* ends;   /* [first_end[vertex_count]], those of a vertex side by side */
  baseline_block_link* links; /* [link_count of the cloth] */
  float* target;              /* [particle_count][3], metres: position without links */
  float mass;                 /* kg, mean of the free particles: the unit of penalties */
  uint32_t vertex_count;
} baseline_blocks;

/* Returns false when memory cannot be had; the blocks are freed by the caller either way. The
 * cloth's links stay in their order. */
bool baseline_blocks_make(const baseline_cloth* cloth, baseline_blocks* blocks);
void baseline_blocks_free(baseline_blocks* blocks);

/* Takes one step of `cloth->iterations` iterations; without attachments. */
void baseline_blocks_step(baseline_cloth* cloth, baseline_blocks* blocks);

#endif
