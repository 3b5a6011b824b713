/* Bend lines: all hinges of sheets are in one, no two lines of a colour share a particle, a solve
 * is that of the dense system in double precision, and every ISA gives the same bits. */
#include "kernels/kernels.h"
#include "modules/bending/lines.h"
#include "support/bend_scenes.h"
#include "support/rig.h"
#include "support/test.h"

typedef struct frozen_lines {
  weft_scene* scene;
  weft__schedule schedule;
  weft__stage_states stages;
  weft__particles particles;
} frozen_lines;

// Sheets of many sizes in two environments, crumpled, some particles pinned, some hinges torn.
static frozen_lines new_lines(int number) {
  static const uint32_t sides[][2] = {{3, 1},   {1, 9},   {5, 5},  {40, 3},
                                      {33, 21}, {70, 64}, {16, 48}};
  random_source random = {(uint64_t)number};
  frozen_lines f = {.scene = new_scene()};
  const uint32_t* side = sides[number % 7];
  (void)add_bend_sheet(f.scene, side[0], side[1], 1e-3f);
  (void)add_bend_sheet(f.scene, side[1], side[0] + 2, 1e-5f);
  weft_scene* other = new_scene();
  (void)add_bend_sheet(other, side[0], side[1] + 1, 1.0f);
  expect_ok(weft_scene_add_scene(f.scene, other, NULL, NULL, 1, NULL));
  weft_scene_destroy(&other);
  crumple(f.scene, &random, 0.01f);
  ck_assert(weft__stages_allocate(&f.stages));
  ck_assert(weft__stages_freeze(&f.stages, &f.schedule, f.scene));
  weft__bend_lines* lines = weft__bend_lines_of(&f.stages);
  ck_assert(weft__bend_lines_start(lines, 1));
  lines->rate_squared = number % 3 == 0 ? 1e6f : number % 3 == 1 ? 3600.0f : 1e-3f;
  weft__particles* p = &f.particles;
  ck_assert(weft__particles_create(p, f.scene->particle_count));
  for (uint32_t i = 0; i < p->count; ++i) {
    const float* position = f.scene->positions + (size_t)3 * f.schedule.user_of[i];
    p->pos_x[i] = position[0];
    p->pos_y[i] = position[1];
    p->pos_z[i] = position[2];
    p->inv_mass[i] = number % 2 == 1 && random_chance(&random, 10)
                         ? 0.0f
                         : 1e3f * random_float(&random, 1.0f, number % 2 == 1 ? 100.0f : 1.0f);
  }
  for (uint32_t i = 1; number % 4 == 3 && i < p->count; i += 7) {
    weft__bend_lines_tear(lines, i - 1, i);
  }
  return f;
}

static void release(frozen_lines* f) {
  weft__particles_destroy(&f->particles);
  weft__schedule_destroy(&f->schedule);
  weft__stages_destroy(&f->stages);
  weft_scene_destroy(&f->scene);
}

static void solve(const weft__kernels* kernels, const frozen_lines* f, uint32_t color,
                  weft__particles* p) {
  const weft__bend_lines* lines = weft__bend_lines_of(&f->stages);
  const weft__line_kernels* own = kernels->of_stage[WEFT__STAGE_LINES];
  weft__line_positions* positions = (weft__line_positions*)(void*)lines->scratch;
  weft__hinge_multiplier* multipliers = (weft__hinge_multiplier*)(positions + lines->max_rows);
  for (uint32_t b = lines->color_first[color]; b < lines->color_first[color + 1]; ++b) {
    own->factor(p, lines, b);
    own->solve(p, lines, b, positions, multipliers);
  }
}

LOOP_TEST(all_hinges_of_sheets_are_in_lines_of_which_no_two_of_a_colour_share_a_particle, 0, 7) {
  frozen_lines f = new_lines(4 * _i);
  const weft__bend_lines* lines = weft__bend_lines_of(&f.stages);
  ck_assert_uint_eq(lines->hinge_count, f.scene->hinges.count);
  ck_assert_uint_eq(f.schedule.hinges.hinge_count, 0);
  uint32_t hinges = 0;
  for (uint32_t color = 0; color < WEFT__LINE_COLORS; ++color) {
    uint32_t* seen = test_alloc(f.schedule.particle_count * sizeof(*seen));
    for (uint32_t b = lines->color_first[color]; b < lines->color_first[color + 1]; ++b) {
      const weft__line_block* block = &lines->blocks[b];
      const uint32_t environment =
          weft__environment_of(&f.schedule, lines->particle[block->first_row][0]);
      for (uint32_t row = block->first_row; row < block->first_row + block->row_count; ++row) {
        hinges += (uint32_t)__builtin_popcount(lines->hinge_mask[row]);
        for (uint32_t l = 0; l < WEFT__LANES; ++l) {
          for (uint32_t end = 0; end < (block->is_twist ? 2 : 1); ++end) {
            const uint32_t particle = (end == 0 ? lines->particle : lines->other)[row][l];
            require(weft__environment_of(&f.schedule, particle) == environment);
            if (((uint32_t)lines->present[row] >> l & 1u) == 0) continue;
            require(seen[particle]++ == 0);
            require(lines->slot[color][particle] == row * WEFT__LANES + l);
          }
        }
      }
    }
  }
  ck_assert_uint_eq(hinges, lines->hinge_count);
  release(&f);
}

// ---- a dense solve of one line ----

enum { MAX_LINE = 80 };

// Solves a x = b in place, by elimination with pivoting.
static void solve_dense(double (*a)[MAX_LINE], double* b, uint32_t n) {
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t pivot = k;
    for (uint32_t i = k + 1; i < n; ++i) pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
    for (uint32_t j = 0; j < n; ++j) {
      const double swapped = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = swapped;
    }
    const double swapped = b[k];
    b[k] = b[pivot];
    b[pivot] = swapped;
    for (uint32_t i = k + 1; i < n; ++i) {
      const double share = a[i][k] / a[k][k];
      for (uint32_t j = k; j < n; ++j) a[i][j] -= share * a[k][j];
      b[i] -= share * b[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

// Elements of a lane of a block; those that are missing have coefficients 0.
static void list_elements(const weft__bend_lines* lines, const weft__line_block* block,
                          uint32_t lane, weft__line_element* elements) {
  for (uint32_t k = 0; k < block->row_count; ++k) {
    const uint32_t row = block->first_row + k;
    elements[k] = (weft__line_element){0};
    if (((uint32_t)lines->hinge_mask[row] >> lane & 1u) == 0) continue;
    elements[k] = weft__bend_lines_element(lines, block, row, lane);
    if (!block->is_twist) elements[k].particle[3] = 0;
  }
}

// Entry of A W A^T.
static double couple(const frozen_lines* f, const weft__line_element* a,
                     const weft__line_element* b) {
  double sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (a->particle[i] != b->particle[j]) continue;
      sum += (double)a->coefficient[i] * (double)b->coefficient[j] *
             (double)f->particles.inv_mass[a->particle[i]];
    }
  }
  return sum;
}

// Factor of d for the force of a fold, of a line of hinges: see modules/bending/lines.h.
static double fold_factor(const weft__line_element* e, const weft__particles* before) {
  double bent_sq = 0.0, chord_sq = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const float* pos = before->pos[axis];
    double bent = 0.0;
    for (int j = 0; j < 3; ++j) bent += (double)e->coefficient[j] * (double)pos[e->particle[j]];
    const double chord = (double)pos[e->particle[2]] - (double)pos[e->particle[0]];
    bent_sq += bent * bent;
    chord_sq += chord * chord;
  }
  return 1.0 + 0.4 * fmin(bent_sq / (bent_sq + chord_sq), 0.19);
}

// Moves the particles of a lane by (A W A^T + a) m = d, one axis.
static void solve_line(const frozen_lines* f, const weft__line_block* block, uint32_t lane,
                       const float* before, double* after) {
  const weft__bend_lines* lines = weft__bend_lines_of(&f->stages);
  static double matrix[MAX_LINE][MAX_LINE];
  static weft__line_element elements[MAX_LINE];
  double m[MAX_LINE] = {0.0};
  const uint32_t n = block->row_count;
  require(n <= MAX_LINE);
  list_elements(lines, block, lane, elements);
  for (uint32_t k = 0; k < n; ++k) {
    const weft__line_element* e = &elements[k];
    for (uint32_t o = 0; o < n; ++o) matrix[k][o] = couple(f, e, &elements[o]);
    const double compliance =
        (double)(lines->compliance[block->first_row + k][lane] * lines->rate_squared);
    matrix[k][k] += fmax(compliance, 1e-6 * matrix[k][k]);
    if (e->coefficient[0] == 0.0f) matrix[k][k] = 1.0;
    for (int j = 0; j < 4; ++j) m[k] += (double)e->coefficient[j] * (double)before[e->particle[j]];
    if (!block->is_twist && e->coefficient[0] != 0.0f) m[k] *= fold_factor(e, &f->particles);
  }
  solve_dense(matrix, m, n);
  for (uint32_t k = 0; k < n; ++k) {
    for (int j = 0; j < 4; ++j) {
      const uint32_t i = elements[k].particle[j];
      after[i] -= (double)elements[k].coefficient[j] * (double)f->particles.inv_mass[i] * m[k];
    }
  }
}

LOOP_TEST(a_solve_is_that_of_the_dense_system_in_double_precision, 0, 28) {
  frozen_lines f = new_lines(_i);
  const weft__bend_lines* lines = weft__bend_lines_of(&f.stages);
  for (uint32_t color = 0; color < WEFT__LINE_COLORS; ++color) {
    weft__particles got = copy_particles(&f.particles);
    solve(&weft__kernels_scalar, &f, color, &got);
    double* wanted = test_alloc(got.count * sizeof(*wanted));
    for (uint32_t i = 0; i < got.count; ++i) wanted[i] = (double)f.particles.pos_z[i];
    for (uint32_t b = lines->color_first[color]; b < lines->color_first[color + 1]; ++b) {
      for (uint32_t l = 0; l < WEFT__LANES; ++l) {
        solve_line(&f, &lines->blocks[b], l, f.particles.pos_z, wanted);
      }
    }
    // particles are displaced by up to 1 cm; between pins that no straight line joins, multipliers
    // of stiff lines are a million times what they move
    const double tolerance = _i % 3 == 0 ? 1e-6 : _i % 2 == 0 ? 1e-4 : 1e-2;
    for (uint32_t i = 0; i < got.count; ++i) {
      require(fabs(wanted[i] - (double)got.pos_z[i]) < tolerance);
    }
  }
  release(&f);
}

LOOP_TEST(every_isa_solves_lines_like_scalar_bit_for_bit, 0, 28) {
  frozen_lines f = new_lines(_i);
  weft__particles expected = copy_particles(&f.particles);
  for (uint32_t color = 0; color < WEFT__LINE_COLORS; ++color) {
    solve(&weft__kernels_scalar, &f, color, &expected);
  }
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles got = copy_particles(&f.particles);
    for (uint32_t color = 0; color < WEFT__LINE_COLORS; ++color) {
      solve(weft__kernels_select((weft_isa)isa), &f, color, &got);
    }
    ck_assert_msg(same_particles(&got, &expected), "%s", weft_isa_name((weft_isa)isa));
  }
  release(&f);
}
