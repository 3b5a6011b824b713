/* The yardstick: cloth by position-based dynamics as the textbooks write it.
 *
 * One thread, one loop over an array of link structs, Gauss-Seidel. It shares no file with the
 * engine, so that no mistake or trick of the engine's leaks into it, and is compiled at -O3 for the
 * machine at hand with the compiler's own rules for contraction. */
#ifndef BASELINE_SERIAL_H
#define BASELINE_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct baseline_particle {
  float x, y, z;                /* metres */
  float prev_x, prev_y, prev_z; /* metres, one step ago */
  float inverse_mass;           /* 1/kg; 0 = pinned */
} baseline_particle;

typedef struct baseline_link {
  uint32_t a, b;
  float rest_length; /* metres */
  float stiffness;   /* share of the error removed by one solve */
} baseline_link;

typedef struct baseline_attachment {
  uint32_t particle, anchor;
  float reach; /* largest distance, metres */
} baseline_attachment;

typedef struct baseline_cloth {
  baseline_particle* particles;     /* [particle_count] */
  baseline_link* links;             /* [link_count], solved in this order */
  baseline_attachment* attachments; /* [attachment_count], before the links */
  uint32_t attachment_count;        /* 0 = none: see attachments.h */
  uint32_t particle_count;
  uint32_t link_count;
  uint32_t iterations; /* sweeps over all links a step */
  float gravity[3];    /* metres per second squared */
  float damping;       /* 1/seconds */
  float dt;            /* seconds a step */
} baseline_cloth;

/* Takes one step: position Verlet, the attachments, then the sweeps. */
void baseline_step(baseline_cloth* cloth);

/* FNV-1a, 64 bits, over x y z and previous x y z of all particles in order, little-endian floats.
 */
uint64_t baseline_hash(const baseline_cloth* cloth);

/* ---- links by colour ----------------------------------------------------------------------- */

/* In natural order each link waits for the link before it, and the loop runs at the latency of that
 * chain. Links of one colour share no particle, which breaks it without threads or vectors. */

/* Writes the links to `sorted` by colour, in natural order within each. Returns the number of
 * colours, 0 without memory. */
uint32_t baseline_sort_by_color(const baseline_link* links, uint32_t link_count,
                                uint32_t particle_count, baseline_link* sorted);

/* ---- long-range attachments ---------------------------------------------------------------- */

/* A free particle may be no further from a pinned one than along the cloth (Kim, Chentanez, Mueller
 * 2012, "Long Range Attachments"). Pinned particles joined by links are one island; a particle is
 * attached to the nearest particle of each of the nearest islands. */

/* Finds at most `islands` attachments for each free particle, by the positions at rest. False
 * without memory. The caller frees them either way. */
bool baseline_attach(baseline_cloth* cloth, uint32_t islands);

/* ---- vertex blocks ------------------------------------------------------------------------- */

/* Augmented Vertex Block Descent, for comparison (Giles, Diaz, Yuksel 2025, section 3; Chen et al.
 * 2024, "Vertex Block Descent").
 *
 * Vertices by colour in place of links: a 3 x 3 system over all links of a vertex. Links are hard
 * constraints with a penalty that grows and a multiplier kept from step to step. */

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
  baseline_block_end* ends;   /* [first_end[vertex_count]], a vertex's side by side */
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
