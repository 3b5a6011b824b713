#ifndef WEFT_SCHEDULE_BEND_STARS_H
#define WEFT_SCHEDULE_BEND_STARS_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/hinges.h"
#include "tables/mesh_bends.h"

/* By particle, the caller's numbers; WEFT__NONE where there is none. */
typedef struct weft__star {
  uint32_t particle[WEFT__STAR_PARTICLES];
  uint32_t hinge[WEFT__STAR_ELEMENTS];
  uint32_t next[WEFT__STAR_ELEMENTS][4]; /* see weft__mesh_bends */
} weft__star;

/* Three consecutive particles of a sheet: symmetric, flat and elastic. */
bool weft__is_sheet_hinge(const weft__hinges* hinges, uint32_t hinge);

/* A cell of a sheet. */
bool weft__is_sheet_twist(const weft__hinges* hinges, uint32_t hinge);

/* Puts each hinge of a sheet in its particle's star. Sheets whose hinges do not fit are left out,
 * by one of their particles. stars: [particle_count], all bits set */
void weft__list_stars(const weft__hinges* hinges, weft__star* stars, uint32_t particle_count,
                      void (*leave_out)(void* context, uint32_t particle), void* context);

#endif
