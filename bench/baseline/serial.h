/* The yardstick: cloth by position-based dynamics as the textbooks write it.
 *
 * One thread, one loop over an array of link structs, Gauss-Seidel: each link sees what the links
 * before it have done. It shares no file with the engine, so that a mistake or a trick of the
 * engine's cannot leak into what it is measured against; and it is compiled the way an honest user
 * would, at -O3 for the machine at hand with the compiler's own rules for contraction. */
#ifndef BASELINE_SERIAL_H
#define BASELINE_SERIAL_H

#include <stdint.h>

typedef struct baseline_particle {
  float x, y, z;                /* metres */
  float prev_x, prev_y, prev_z; /* metres, one step ago */
  float inverse_mass;           /* 1/kg; 0 = pinned */
} baseline_particle;

typedef struct baseline_link {
  uint32_t a, b;
  float rest_length; /* metres */
  float stiffness;   /* share of the error that one solve removes */
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

/* FNV-1a, 64 bits, over x y z and the previous x y z of every particle in order, each float as
 * four bytes, least significant first. */
uint64_t baseline_hash(const baseline_cloth* cloth);

#endif
