/* First fit: each link, in natural order, takes the lowest colour that neither end has yet. A
 * particle's colours are the bits of one word; links that find no free bit wait for the next round,
 * whose colours begin where the last round's ended. */
#include "baseline/serial.h"

#include <stdlib.h>
#include <string.h>

enum { COLORS_PER_ROUND = 64, UNCOLORED = UINT16_MAX, MAX_ROUNDS = UINT16_MAX / COLORS_PER_ROUND };

typedef struct coloring {
  uint16_t* color_of_link; /* [link_count] */
  uint64_t* used;          /* [particle_count], a bit for each colour of this round */
  uint32_t color_count;
} coloring;

/* Colours as many links as it can; returns the count of the others. */
static uint32_t color_round(coloring* c, const baseline_link* links, uint32_t link_count,
                            uint32_t first_color) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < link_count; ++i) {
    if (c->color_of_link[i] != UNCOLORED) continue;
    const uint64_t taken = c->used[links[i].a] | c->used[links[i].b];
    if (taken == UINT64_MAX) {
      ++left;
      continue;
    }
    const uint64_t bit = ~taken & (taken + 1);
    const uint32_t color = first_color + (uint32_t)__builtin_ctzll(bit);
    c->used[links[i].a] |= bit;
    c->used[links[i].b] |= bit;
    c->color_of_link[i] = (uint16_t)color;
    if (color >= c->color_count) c->color_count = color + 1;
  }
  return left;
}

static void color_links(coloring* c, const baseline_link* links, uint32_t link_count,
                        uint32_t particle_count) {
  uint32_t left = link_count;
  for (uint32_t round = 0; left > 0 && round < MAX_ROUNDS; ++round) {
    memset(c->used, 0, particle_count * sizeof *c->used);
    left = color_round(c, links, link_count, round * COLORS_PER_ROUND);
  }
}

/* Counting sort, which keeps natural order within a colour. Links beyond the last round, of
 * particles of tens of thousands of links, go to the end. */
static void sort_links(const coloring* c, const baseline_link* links, uint32_t link_count,
                       uint32_t* next, baseline_link* sorted) {
  for (uint32_t i = 0; i < link_count; ++i) ++next[c->color_of_link[i] + 1u];
  for (uint32_t color = 0; color < UNCOLORED; ++color) next[color + 1] += next[color];
  for (uint32_t i = 0; i < link_count; ++i) sorted[next[c->color_of_link[i]]++] = links[i];
}

uint32_t baseline_sort_by_color(const baseline_link* links, uint32_t link_count,
                                uint32_t particle_count, baseline_link* sorted) {
  coloring c = {malloc(link_count * sizeof *c.color_of_link + 1),
                malloc(particle_count * sizeof *c.used + 1), 0};
  uint32_t* next = calloc(UNCOLORED + 2u, sizeof *next);
  if (c.color_of_link && c.used && next) {
    memset(c.color_of_link, 0xff, link_count * sizeof *c.color_of_link);
    color_links(&c, links, link_count, particle_count);
    sort_links(&c, links, link_count, next, sorted);
    if (c.color_count == 0) c.color_count = 1;  // no links: not a failure
  }
  free(next);
  free(c.used);
  free(c.color_of_link);
  return c.color_count;
}
