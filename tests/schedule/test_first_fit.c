/* First-fit colouring with bit sets of the free colours. */
#include "schedule/first_fit_coloring.h"

#include "support/test.h"

static weft__first_fit new_fit(weft__arena* arena, uint32_t particle_count, size_t ends) {
  weft__first_fit fit = {0};
  *arena = (weft__arena){0};
  weft__first_fit_lay_out(&fit, arena, particle_count, ends);
  require(weft__arena_commit(arena));
  weft__first_fit_lay_out(&fit, arena, particle_count, ends);
  weft__first_fit_clear(&fit);
  return fit;
}

enum { PARTICLES = 60, EDGES = 6000, MOST_COLORS = EDGES };

// distinct particles; the first four are hubs
static uint32_t random_edge(random_source* random, uint32_t particles[4]) {
  const uint32_t count = random_from(random, 2, 4);
  for (uint32_t i = 0; i < count;) {
    const uint32_t from = random_chance(random, 3) ? 4 : PARTICLES;
    particles[i] = random_below(random, from);
    bool is_new = true;
    for (uint32_t k = 0; k < i; ++k) is_new = is_new && particles[k] != particles[i];
    i += is_new;
  }
  return count;
}

RANDOM_TEST(an_edge_gets_the_lowest_colour_that_none_of_its_particles_has, ROUNDS(8, 3)) {
  static bool has[PARTICLES][MOST_COLORS];
  static uint32_t edges[EDGES][4];
  static uint32_t counts[EDGES];
  weft__arena arena;
  weft__first_fit fit = new_fit(&arena, PARTICLES, (size_t)4 * EDGES);
  for (int time = 0; time < 2; ++time) {
    memset(has, 0, sizeof(has));
    for (uint32_t e = 0; e < EDGES; ++e) {
      counts[e] = random_edge(&random, edges[e]);
      uint32_t lowest = 0;
      for (uint32_t i = 0; i < counts[e]; ++i) {
        if (!has[edges[e][i]][lowest]) continue;
        ++lowest;
        i = UINT32_MAX;
      }
      require(weft__first_fit_color(&fit, edges[e], counts[e]) == lowest);
      for (uint32_t i = 0; i < counts[e]; ++i) has[edges[e][i]][lowest] = true;
    }
    // clear all colours; the second round must give the same result
    for (uint32_t e = 0; e < EDGES; ++e) weft__first_fit_clear_particles(&fit, edges[e], counts[e]);
  }
  free(arena.block);
}
