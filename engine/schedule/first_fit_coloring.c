#include "schedule/first_fit_coloring.h"

#define WORD_COLORS 64u
#define NO_WORD UINT32_MAX

void weft__first_fit_lay_out(weft__first_fit* fit, weft__arena* arena, uint32_t particle_count,
                             size_t most_ends) {
  fit->particle_count = particle_count;
  fit->colors = weft__arena_alloc(arena, particle_count, sizeof(*fit->colors));
  fit->free_word = weft__arena_alloc(arena, particle_count, sizeof(*fit->free_word));
  fit->first_overflow = weft__arena_alloc(arena, particle_count, sizeof(*fit->first_overflow));
  fit->overflow = weft__arena_alloc(arena, most_ends, sizeof(*fit->overflow));
}

void weft__first_fit_clear(weft__first_fit* fit) {
  for (uint32_t i = 0; i < fit->particle_count; ++i) weft__first_fit_clear_particles(fit, &i, 1);
}

static uint64_t* find_overflow(const weft__first_fit* fit, uint32_t particle, uint32_t word) {
  for (uint32_t f = fit->first_overflow[particle]; f != NO_WORD; f = fit->overflow[f].next) {
    if (fit->overflow[f].word == word) return &fit->overflow[f].colors;
  }
  return NULL;
}

// `word` is not before the free word.
static uint64_t colors_in(const weft__first_fit* fit, uint32_t particle, uint32_t word) {
  if (word == fit->free_word[particle]) return fit->colors[particle];
  const uint64_t* overflow = find_overflow(fit, particle, word);
  return overflow == NULL ? 0 : *overflow;
}

static void add_color(weft__first_fit* fit, uint32_t particle, uint32_t word, uint64_t color) {
  if (word == fit->free_word[particle]) {
    fit->colors[particle] |= color;
    while (fit->colors[particle] == UINT64_MAX) {
      const uint32_t next = ++fit->free_word[particle];
      const uint64_t* overflow = find_overflow(fit, particle, next);
      fit->colors[particle] = overflow == NULL ? 0 : *overflow;
    }
    return;
  }
  uint64_t* overflow = find_overflow(fit, particle, word);
  if (overflow != NULL) {
    *overflow |= color;
    return;
  }
  fit->overflow[fit->overflow_count] =
      (weft__color_word){.colors = color, .word = word, .next = fit->first_overflow[particle]};
  fit->first_overflow[particle] = fit->overflow_count++;
}

static uint64_t colors_of_all(const weft__first_fit* fit, const uint32_t* particles, uint32_t count,
                              uint32_t word) {
  uint64_t colors = 0;
  for (uint32_t i = 0; i < count; ++i) colors |= colors_in(fit, particles[i], word);
  return colors;
}

uint32_t weft__first_fit_color(weft__first_fit* fit, const uint32_t* particles, uint32_t count) {
  // earlier words are full at one of the particles
  uint32_t word = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (fit->free_word[particles[i]] > word) word = fit->free_word[particles[i]];
  }
  uint64_t used = colors_of_all(fit, particles, count, word);
  while (used == UINT64_MAX) used = colors_of_all(fit, particles, count, ++word);
  const uint32_t bit = (uint32_t)__builtin_ctzll(~used);
  for (uint32_t i = 0; i < count; ++i) add_color(fit, particles[i], word, 1ull << bit);
  return word * WORD_COLORS + bit;
}

void weft__first_fit_clear_particles(weft__first_fit* fit, const uint32_t* particles,
                                     uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    fit->colors[particles[i]] = 0;
    fit->free_word[particles[i]] = 0;
    fit->first_overflow[particles[i]] = NO_WORD;
  }
  fit->overflow_count = 0;
}
