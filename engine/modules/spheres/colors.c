#include "modules/spheres/colors.h"

#include <string.h>

// colour of pairs that find no other
#define LAST_COLOR (WEFT__PAIR_COLORS - 1)

// Lowest colour that is not taken; LAST_COLOR if all are.
static uint32_t lowest_free(uint64_t taken) {
  uint32_t color = 0;
  while (color < LAST_COLOR && (taken >> color & 1) != 0) ++color;
  return color;
}

static void color_pairs_of(weft__particle_contacts* state, const float* inv_mass, uint32_t body) {
  const weft__pair_list* list = &state->list;
  uint64_t* masks = state->color_mask;
  const bool is_free = inv_mass[state->particle[body]] > 0.0f;
  uint64_t own = is_free ? masks[body] : 0;
  for (uint32_t i = list->first[body]; i < list->first[body + 1]; ++i) {
    const uint32_t other = list->pairs[i].b;
    const bool is_other_free = inv_mass[state->particle[other]] > 0.0f;
    const uint32_t color = lowest_free(own | (is_other_free ? masks[other] : 0));
    state->color[i] = (uint8_t)color;
    ++state->color_first[color + 1];
    if (color == LAST_COLOR) continue;
    if (is_free) own |= (uint64_t)1 << color;
    if (is_other_free) masks[other] |= (uint64_t)1 << color;
  }
  masks[body] = own;
}

// Counting sort of pairs by colour, a few nanoseconds a pair.
static void order_by_color(weft__particle_contacts* state) {
  uint32_t* first = state->color_first;
  state->color_count = 0;
  for (uint32_t k = 0; k < WEFT__PAIR_COLORS; ++k) {
    state->color_count += first[k + 1] > 0;
    first[k + 1] += first[k];
  }
  uint32_t next[WEFT__PAIR_COLORS];
  memcpy(next, first, sizeof(next));
  for (uint32_t i = 0; i < state->pair_count; ++i) {
    state->contact_of_pair[i] = next[state->color[i]]++;
  }
}

void weft__colors_assign(weft__particle_contacts* state, const weft__step_context* step) {
  memset(state->color_mask, 0, state->body_count * sizeof(*state->color_mask));
  memset(state->color_first, 0, sizeof(state->color_first));
  for (uint32_t body = 0; body < state->body_count; ++body) {
    color_pairs_of(state, step->particles->inv_mass, body);
  }
  order_by_color(state);
}
