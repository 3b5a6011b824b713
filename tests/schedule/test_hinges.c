/* Bend elements, frozen and solved: every hinge is in one lane of a piece or of a bend line, hinges
 * of a group share no particle, patches that share a particle are neighbours, and a sweep follows
 * the formula on every ISA. */
#include "kernels/kernels.h"
#include "modules/bending/lines.h"
#include "support/bend_scenes.h"
#include "support/rig.h"
#include "support/test.h"

// ---- lane contents in order of solving ----

typedef struct lane {
  weft__hinge hinge; /* particles by solver index */
  uint32_t patch;
  uint32_t group; /* numbered over all patches */
  double pulled[3];
} lane;

typedef struct lane_list {
  lane* lanes;
  uint32_t count;
  uint32_t group;
} lane_list;

static void push_lane(lane_list* list, uint32_t patch, const weft__hinge* hinge) {
  list->lanes[list->count++] = (lane){.hinge = *hinge, .patch = patch, .group = list->group};
}

static uint32_t particle_of_local(const weft__hinge_schedule* h, const weft__piece* piece,
                                  uint32_t local) {
  for (uint32_t s = 0; s < piece->segment_count; ++s) {
    const weft__segment segment = h->segments[piece->first_segment + s];
    if (local < segment.count) return segment.first + local;
    local -= segment.count;
  }
  require(local == 0);
  return WEFT__NO_PARTICLE;
}

static void list_piece(lane_list* list, const weft__hinge_schedule* h, uint32_t patch,
                       const weft__piece* piece) {
  for (uint32_t g = 0; g < piece->group_count; ++g, ++list->group) {
    const weft__hinge_lanes* lanes = &h->lanes[piece->first_lanes + g];
    for (uint32_t l = 0; l < WEFT__LANES; ++l) {
      weft__hinge hinge = {.rest_length = lanes->rest_length[l],
                           .compliance = lanes->compliance[l]};
      for (int i = 0; i < 4; ++i) {
        hinge.particle[i] = particle_of_local(h, piece, lanes->index[i][l] / 2);
        hinge.coefficient[i] = lanes->coefficient[i][l];
      }
      if (hinge.particle[0] != WEFT__NO_PARTICLE) push_lane(list, patch, &hinge);
    }
  }
}

// Elements of a row of bend lines, as one group; their patch is that of no other.
static void list_line_row(lane_list* list, const weft__bend_lines* lines,
                          const weft__line_block* block, uint32_t row) {
  for (uint32_t l = 0; l < WEFT__LANES; ++l) {
    if (((uint32_t)lines->hinge_mask[row] >> l & 1u) == 0) continue;
    const weft__line_element element = weft__bend_lines_element(lines, block, row, l);
    weft__hinge hinge = {.compliance = lines->compliance[row][l]};
    memcpy(hinge.particle, element.particle, sizeof(hinge.particle));
    memcpy(hinge.coefficient, element.coefficient, sizeof(hinge.coefficient));
    push_lane(list, 0, &hinge);
  }
  ++list->group;
}

static void list_line_block(lane_list* list, const weft__bend_lines* lines,
                            const weft__line_block* block) {
  for (uint32_t k = 0; k < block->row_count; ++k) {
    list_line_row(list, lines, block, block->first_row + k);
  }
}

static lane_list list_lanes(const weft__schedule* s, const weft__bend_lines* lines) {
  const weft__hinge_schedule* h = &s->hinges;
  const uint32_t count = h->hinge_count + lines->hinge_count;
  lane_list list = {.lanes = test_alloc(((size_t)count + 1) * sizeof(lane))};
  for (uint32_t patch = 0; patch < s->patch_count && h->hinge_count > 0; ++patch) {
    for (uint32_t p = h->patch_first_piece[patch]; p < h->patch_first_piece[patch + 1]; ++p) {
      list_piece(&list, h, patch, &h->pieces[p]);
    }
  }
  ck_assert_uint_eq(list.count, h->hinge_count);
  for (uint32_t b = 0; b < lines->block_count; ++b) {
    list_line_block(&list, lines, &lines->blocks[b]);
  }
  ck_assert_uint_eq(list.count, count);
  return list;
}

typedef struct frozen_bend {
  weft_scene* scene;
  weft__schedule schedule;
  weft__stage_states stages;
  lane_list list;
} frozen_bend;

static frozen_bend freeze_scene(weft_scene* scene) {
  frozen_bend f = {.scene = scene};
  ck_assert(weft__stages_allocate(&f.stages));
  ck_assert(weft__stages_freeze(&f.stages, &f.schedule, scene));
  f.list = list_lanes(&f.schedule, weft__bend_lines_of(&f.stages));
  return f;
}

static void release(frozen_bend* f) {
  weft__schedule_destroy(&f->schedule);
  weft__stages_destroy(&f->stages);
  weft_scene_destroy(&f->scene);
}

// ---- freezing ----

// hinge with the two outer particles of three in ascending order
static weft__hinge canonical(weft__hinge hinge) {
  if (hinge.particle[3] == WEFT__NO_PARTICLE && hinge.particle[0] > hinge.particle[2]) {
    const uint32_t first = hinge.particle[0];
    hinge.particle[0] = hinge.particle[2];
    hinge.particle[2] = first;
  }
  return hinge;
}

static int compare_hinges(const void* left, const void* right) {
  return memcmp(left, right, sizeof(weft__hinge));
}

LOOP_TEST(every_hinge_of_the_scene_is_in_exactly_one_lane, 0, BEND_CASES) {
  frozen_bend f = freeze_scene(new_bend_case(_i));
  const weft__hinges* hinges = &f.scene->hinges;
  ck_assert_uint_eq(f.schedule.hinges.hinge_count + weft__bend_lines_of(&f.stages)->hinge_count,
                    hinges->count);
  weft__hinge* wanted = test_alloc(((size_t)hinges->count + 1) * sizeof(*wanted));
  weft__hinge* got = test_alloc(((size_t)hinges->count + 1) * sizeof(*got));
  for (uint32_t i = 0; i < hinges->count; ++i) {
    weft__hinge hinge = weft__hinges_get(hinges, i);
    // lanes do not have the triangles
    memset(hinge.side, 0, sizeof(hinge.side));
    hinge.bend_stiffness = 0.0f;
    for (int k = 0; k < 4; ++k) {
      if (hinge.particle[k] == WEFT__NO_PARTICLE) continue;
      hinge.particle[k] = f.schedule.solver_of[hinge.particle[k]];
    }
    wanted[i] = canonical(hinge);
    got[i] = canonical(f.list.lanes[i].hinge);
  }
  qsort(wanted, hinges->count, sizeof(*wanted), compare_hinges);
  qsort(got, hinges->count, sizeof(*got), compare_hinges);
  ck_assert(memcmp(wanted, got, hinges->count * sizeof(*wanted)) == 0);
  release(&f);
}

LOOP_TEST(no_two_hinges_of_a_group_share_a_particle, 0, BEND_CASES) {
  frozen_bend f = freeze_scene(new_bend_case(_i));
  // last group, plus 1, in which each particle occurred
  uint32_t* seen = test_alloc(f.schedule.particle_count * sizeof(uint32_t));
  for (uint32_t i = 0; i < f.list.count; ++i) {
    const lane* here = &f.list.lanes[i];
    for (int k = 0; k < 4; ++k) {
      const uint32_t particle = here->hinge.particle[k];
      if (particle == WEFT__NO_PARTICLE) continue;
      require(particle < f.schedule.particle_count);
      require(seen[particle] != here->group + 1);
      seen[particle] = here->group + 1;
    }
  }
  release(&f);
}

static bool are_neighbors(const weft__schedule* s, uint32_t patch, uint32_t other) {
  for (uint32_t n = s->patch_first_neighbor[patch]; n < s->patch_first_neighbor[patch + 1]; ++n) {
    if (s->neighbors[n] == other) return s->patch_color[patch] != s->patch_color[other];
  }
  return patch == other;
}

typedef struct touched_rows {
  const weft__schedule* schedule;
  uint32_t (*patches)[8]; /* patch numbers, plus 1, of the patches that access a row */
} touched_rows;

static void touch(touched_rows* rows, uint32_t patch, uint32_t first, uint32_t end) {
  for (uint32_t row = first; row < end && row < rows->schedule->particle_count; ++row) {
    uint32_t* at = rows->patches[row];
    uint32_t i = 0;
    for (; i < 8 && at[i] != 0 && at[i] != patch + 1; ++i) {
      require(are_neighbors(rows->schedule, patch, at[i] - 1));
    }
    require(i < 8);
    at[i] = patch + 1;
  }
}

static void touch_hinges(touched_rows* rows, uint32_t patch) {
  const weft__hinge_schedule* h = &rows->schedule->hinges;
  if (h->hinge_count == 0) return;
  for (uint32_t p = h->patch_first_piece[patch]; p < h->patch_first_piece[patch + 1]; ++p) {
    for (uint32_t s = 0; s < h->pieces[p].segment_count; ++s) {
      const weft__segment segment = h->segments[h->pieces[p].first_segment + s];
      touch(rows, patch, segment.first, segment.first + segment.count);
    }
  }
}

LOOP_TEST(patches_whose_hinges_touch_a_common_particle_are_neighbours_of_different_colours, 0,
          BEND_CASES) {
  frozen_bend f = freeze_scene(new_bend_case(_i));
  const weft__schedule* s = &f.schedule;
  touched_rows rows = {s, test_alloc(((size_t)s->particle_count + 1) * sizeof(*rows.patches))};
  for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
    touch(&rows, patch, s->patch_first[patch], s->patch_first[patch + 1]);
  }
  for (uint32_t patch = 0; patch < s->patch_count; ++patch) touch_hinges(&rows, patch);
  release(&f);
}

TEST(a_scene_without_bend_stiffness_has_no_hinges_and_no_memory_for_them) {
  weft_scene* scene = new_scene();
  (void)add_bend_sheet(scene, 50, 50, 0.0f);
  frozen_bend f = freeze_scene(scene);
  const weft__hinge_schedule none = {0};
  const weft__bend_lines no_lines = {0};
  ck_assert(memcmp(&f.schedule.hinges, &none, sizeof(none)) == 0);
  ck_assert(memcmp(weft__bend_lines_of(&f.stages), &no_lines, sizeof(no_lines)) == 0);
  release(&f);
}

// ---- solving ----

static weft__particles load(const frozen_bend* f, random_source* random, float least_inv_mass) {
  weft__particles p;
  ck_assert(weft__particles_create(&p, f->scene->particle_count));
  for (uint32_t i = 0; i < p.count; ++i) {
    const float* position = f->scene->positions + (size_t)3 * f->schedule.user_of[i];
    p.pos_x[i] = position[0];
    p.pos_y[i] = position[1];
    p.pos_z[i] = position[2];
    p.inv_mass[i] =
        random_chance(random, 10) ? 0.0f : least_inv_mass * random_float(random, 1.0f, 100.0f);
  }
  return p;
}

static void sweep(const weft__kernels* kernels, const frozen_bend* f, weft__particles* p,
                  uint32_t sweeps) {
  if (f->schedule.hinges.hinge_count == 0) return;
  float* records = test_alloc(weft__record_floats(&f->schedule) * sizeof(float));
  for (uint32_t patch = 0; patch < f->schedule.patch_count; ++patch) {
    weft__hinges_start(&f->schedule.hinges, patch);
  }
  for (uint32_t n = 0; n < sweeps * f->schedule.patch_count; ++n) {
    kernels->solve_hinges(p, &f->schedule.hinges, n % f->schedule.patch_count, false, records);
  }
}

// reference sweep: the formula applied lane by lane in double precision
static void solve_slowly(lane* here, double (*x)[3], const weft__particles* p,
                         double rate_squared) {
  const weft__hinge* h = &here->hinge;
  double d[3] = {0};
  double weight = 0.0;
  for (int k = 0; k < 4; ++k) {
    if (h->particle[k] == WEFT__NO_PARTICLE) continue;
    const double c = (double)h->coefficient[k];
    weight += (double)p->inv_mass[h->particle[k]] * c * c;
    for (int axis = 0; axis < 3; ++axis) d[axis] += c * x[h->particle[k]][axis];
  }
  const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const double slack = (double)h->compliance * rate_squared;
  double pulled = 0.0;
  for (int axis = 0; axis < 3; ++axis) pulled += here->pulled[axis] * d[axis] / length;
  const double pull = (length - (double)h->rest_length - slack * pulled) / (weight + slack);
  for (int axis = 0; axis < 3; ++axis) here->pulled[axis] += pull * d[axis] / length;
  for (int k = 0; k < 4; ++k) {
    if (h->particle[k] == WEFT__NO_PARTICLE) continue;
    const double share = (double)(p->inv_mass[h->particle[k]] * h->coefficient[k]) * pull / length;
    for (int axis = 0; axis < 3; ++axis) x[h->particle[k]][axis] -= share * d[axis];
  }
}

static double (*new_places(const weft__particles* p))[3] {
  double(*x)[3] = test_alloc(p->count * sizeof(*x));
  for (uint32_t i = 0; i < p->count; ++i) {
    x[i][0] = (double)p->pos_x[i];
    x[i][1] = (double)p->pos_y[i];
    x[i][2] = (double)p->pos_z[i];
  }
  return x;
}

RANDOM_TEST(sweeps_do_what_the_formula_says_in_double_precision, BEND_CASES) {
  weft_scene* scene = new_bend_case(_i);
  crumple(scene, &random, 0.01f);
  frozen_bend f = freeze_scene(scene);
  // compliance terms larger than, about equal to and smaller than the mass terms
  static const float rates_squared[] = {1e7f, 3600.0f, 1e-6f};
  f.schedule.hinges.rate_squared = rates_squared[_i % 3];
  weft__particles p = load(&f, &random, _i % 3 == 2 ? 0.1f : 1e3f);
  double(*x)[3] = new_places(&p);
  sweep(&weft__kernels_scalar, &f, &p, 3);
  // hinges of lines are listed last
  const uint32_t swept = f.schedule.hinges.hinge_count;
  for (uint32_t n = 0; n < 3 * swept; ++n) {
    solve_slowly(&f.list.lanes[n % swept], x, &p, (double)f.schedule.hinges.rate_squared);
  }
  for (uint32_t i = 0; i < p.count; ++i) {
    require(fabs(x[i][0] - (double)p.pos_x[i]) < 1e-5);
    require(fabs(x[i][1] - (double)p.pos_y[i]) < 1e-5);
    require(fabs(x[i][2] - (double)p.pos_z[i]) < 1e-5);
  }
  weft__particles_destroy(&p);
  release(&f);
}

RANDOM_TEST(every_isa_solves_hinges_like_scalar_bit_for_bit, BEND_CASES) {
  static const float sizes[] = {0.0f, 0.01f, 1e6f, 1e30f};
  weft_scene* scene = new_bend_case(_i % BEND_CASES);
  frozen_bend f = freeze_scene(scene);
  crumple(scene, &random, sizes[(_i + _i / 4) % 4]);
  f.schedule.hinges.rate_squared = 3600.0f;
  weft__particles p = load(&f, &random, 1e3f);
  weft__particles expected = copy_particles(&p);
  sweep(&weft__kernels_scalar, &f, &expected, 3);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles got = copy_particles(&p);
    sweep(weft__kernels_select((weft_isa)isa), &f, &got, 3);
    ck_assert_msg(same_particles(&got, &expected), "%s", weft_isa_name((weft_isa)isa));
    for (uint32_t i = 0; i < p.count; ++i) {
      require(p.inv_mass[i] > 0.0f || sizes[(_i + _i / 4) % 4] > 1.0f ||
              got.pos_x[i] == p.pos_x[i]);
    }
  }
  weft__particles_destroy(&p);
  release(&f);
}
