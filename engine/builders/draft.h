/* A body on its way into a scene: its particles and links, in a frame of its own and counted from 0.
 *
 *     open      room for as many as the body will have
 *     fill      weft__draft_place(), weft__draft_link()
 *     close     into the scene by the public calls, both or none
 *
 * Rest lengths are those of the draft, in double precision: far from the origin, where positions are rounded, a
 * body is still as large as it was asked to be. */
#ifndef WEFT_BUILDERS_DRAFT_H
#define WEFT_BUILDERS_DRAFT_H

#include "scene/scene.h"

/* Where a body lies, out of its def, and what the def calls it. */
typedef struct weft__draft_frame {
  const float* origin;
  const float* across;
  const float* up;
  const char* origin_name;
  const char* across_name;
  const char* up_name;
} weft__draft_frame;

/* `name` is the def's type as a string. */
#define WEFT__FRAME(def, name)                                                                  \
  ((weft__draft_frame){(def)->origin, (def)->across, (def)->up, name ".origin", name ".across", \
                       name ".up"})

/* Finite, the directions of unit length and at right angles. */
weft_result weft__check_frame(const weft__draft_frame* frame);

/* The fields that many defs end with. */
weft_result weft__check_link_fields(float stiffness, float compliance, float tear_ratio,
                                    const char* stiffness_name, const char* compliance_name,
                                    const char* tear_ratio_name);
#define WEFT__CHECK_LINK_FIELDS(def, name)                                        \
  weft__check_link_fields((def)->stiffness, (def)->compliance, (def)->tear_ratio, \
                          name ".stiffness", name ".compliance", name ".tear_ratio")

typedef struct weft__draft {
  uint32_t particle_count;
  uint32_t link_count;
  uint32_t particle_capacity;
  uint32_t link_capacity;
  double (*places)[3];   /* along across, up, and at right angles to both [particle_capacity] */
  float* positions;      /* in the scene [particle_capacity][3] */
  float* inverse_masses; /* [particle_capacity] */
  weft_link* links;      /* [link_capacity] */
} weft__draft;

/* Makes room, or fails where the scene could not take so much. */
weft_result weft__draft_open(weft__draft* draft, const weft_scene* scene, uint64_t particles,
                             uint64_t links);

/* Appends a particle of that many kilograms, 0 = pinned, and returns its number. */
uint32_t weft__draft_place(weft__draft* draft, double x, double y, double z, double mass);

/* Appends a link like `kind` between two particles, as long as they are apart. */
void weft__draft_link(weft__draft* draft, const weft_link* kind, uint32_t a, uint32_t b);

/* The same, of a length that is given. */
void weft__draft_link_of(weft__draft* draft, const weft_link* kind, uint32_t a, uint32_t b,
                         double length);

/* Metres between two particles. */
double weft__draft_distance(const weft__draft* draft, uint32_t a, uint32_t b);

/* Adds what was drafted to the scene, and frees the draft either way. `mass_name` and `size_name` are the def's
 * fields to blame where a mass or a length is outside of what the scene takes. */
weft_result weft__draft_close(weft__draft* draft, weft_scene* scene, const weft__draft_frame* frame,
                              const char* mass_name, const char* size_name, weft_body* body);

/* Frees it and leaves the scene as it is. */
void weft__draft_drop(weft__draft* draft);

#endif
