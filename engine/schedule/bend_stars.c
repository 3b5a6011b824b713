#include "schedule/bend_stars.h"

#include <string.h>

enum { CENTER, LEFT, RIGHT, UP, DOWN, CORNER };

static bool has_coefficients(const weft__hinges* hinges, uint32_t hinge, const float expected[4]) {
  return memcmp(hinges->coefficient[hinge], expected, 4 * sizeof(float)) == 0 &&
         hinges->rest_length[hinge] == 0.0f && hinges->yield[hinge] == 0.0f;
}

bool weft__is_sheet_hinge(const weft__hinges* hinges, uint32_t hinge) {
  return has_coefficients(hinges, hinge, (const float[4]){1.0f, -2.0f, 1.0f, 0.0f});
}

bool weft__is_sheet_twist(const weft__hinges* hinges, uint32_t hinge) {
  return has_coefficients(hinges, hinge, (const float[4]){1.0f, -1.0f, -1.0f, 1.0f});
}

// False if it has another one there.
static bool set(weft__star* star, int slot, uint32_t particle) {
  if (star->particle[slot] == WEFT__NONE) star->particle[slot] = particle;
  return star->particle[slot] == particle;
}

// First the row's, then the column's.
static bool add_hinge(weft__star* star, const uint32_t particle[4], uint32_t hinge) {
  const int line = star->hinge[0] == WEFT__NONE ? 0 : 1;
  if (star->hinge[line] != WEFT__NONE) return false;
  star->hinge[line] = hinge;
  return set(star, CENTER, particle[1]) && set(star, line == 0 ? LEFT : UP, particle[0]) &&
         set(star, line == 0 ? RIGHT : DOWN, particle[2]);
}

static bool add_twist(weft__star* star, const uint32_t particle[4], uint32_t hinge) {
  if (star->hinge[2] != WEFT__NONE) return false;
  star->hinge[2] = hinge;
  const int right =
      star->particle[RIGHT] == particle[1] || star->particle[DOWN] == particle[2] ? 1 : 2;
  return set(star, CENTER, particle[0]) && set(star, RIGHT, particle[right]) &&
         set(star, DOWN, particle[3 - right]) && set(star, CORNER, particle[3]);
}

// About a particle next to another one on its line.
static uint32_t hinge_about(const weft__star* star, uint32_t next) {
  for (int line = 0; line < 2; ++line) {
    const uint32_t* ends = &star->particle[line == 0 ? LEFT : UP];
    if (ends[0] == next || ends[1] == next) return star->hinge[line];
  }
  return WEFT__NONE;
}

static void set_next(weft__star* stars, weft__star* star) {
  for (int side = 0; side < 4; ++side) {
    const uint32_t end = star->particle[LEFT + side];
    if (end == WEFT__NONE) continue;
    star->next[side / 2][side % 2] = hinge_about(&stars[end], star->particle[CENTER]);
    star->next[2][side] = stars[end].hinge[2];
  }
}

void weft__list_stars(const weft__hinges* hinges, weft__star* stars, uint32_t particle_count,
                      void (*leave_out)(void* context, uint32_t particle), void* context) {
  for (uint32_t h = 0; h < hinges->count; ++h) {
    const uint32_t* particle = hinges->particle[h];
    const bool is_hinge = weft__is_sheet_hinge(hinges, h);
    if (!is_hinge && !weft__is_sheet_twist(hinges, h)) continue;
    const uint32_t center = particle[is_hinge ? 1 : 0];
    const bool fits =
        is_hinge ? add_hinge(&stars[center], particle, h) : add_twist(&stars[center], particle, h);
    if (!fits) leave_out(context, center);
  }
  for (uint32_t i = 0; i < particle_count; ++i) set_next(stars, &stars[i]);
}
