/* A body under construction, in its own frame, numbered from 0.
 *
 *     open      allocate for the final counts
 *     fill      weft__draft_add_particle(), weft__draft_link()
 *     close     add to the scene by the public calls, all or nothing
 *
 * Rest lengths are in double precision: far from the origin a body still has its requested size. */
#ifndef WEFT_LIBRARIES_BODIES_DRAFT_H
#define WEFT_LIBRARIES_BODIES_DRAFT_H

#include "scene/scene.h"

typedef struct weft__draft_frame {
  const float* origin;
  const float* across;
  const float* up;
  const char* origin_name;
} weft__draft_frame;

/* name: the def's type as a string, for errors */
#define WEFT__FRAME(def, name) \
  ((weft__draft_frame){(def)->origin, (def)->across, (def)->up, name ".origin"})

typedef struct weft__draft {
  uint32_t particle_count;
  uint32_t link_count;
  uint32_t particle_capacity;
  uint32_t link_capacity;
  double (*local_positions)[3]; /* along across, up, and their cross product [particle_capacity] */
  float* positions;             /* in the scene [particle_capacity][3] */
  float* inverse_masses;        /* [particle_capacity] */
  weft_link_def* links;         /* [link_capacity] */
} weft__draft;

/* Fails if the scene cannot take that many. */
weft_result weft__draft_open(weft__draft* draft, const weft_scene* scene, uint64_t particles,
                             uint64_t links);

/* Kilograms, 0: pinned. Returns its number. */
uint32_t weft__draft_add_particle(weft__draft* draft, double x, double y, double z, double mass);

void weft__draft_link(weft__draft* draft, const weft_link_def* kind, uint32_t a, uint32_t b);

void weft__draft_link_with_length(weft__draft* draft, const weft_link_def* kind, uint32_t a,
                                  uint32_t b, double length);

double weft__draft_distance(const weft__draft* draft, uint32_t a, uint32_t b);

/* Frees the draft in any case. mass_name, size_name: the def's fields if a mass or a length is out
 * of the scene's range */
weft_result weft__draft_close(weft__draft* draft, weft_scene* scene, const weft__draft_frame* frame,
                              const char* mass_name, const char* size_name, weft_body* body);

void weft__draft_discard(weft__draft* draft);

/* Checked def; length at rest, metres. */
weft_result weft__rope_longest_link(const weft_rope_def* def, double* length);

/* Rope of a given radius, metres, unless it has a thickness or one too large for its links; 0: by
 * its mass. */
weft_result weft__add_rope(weft_scene* scene, const weft_rope_def* def, double radius,
                           weft_body* body);

#endif
