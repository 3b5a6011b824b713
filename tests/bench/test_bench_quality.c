/* `weft-bench quality`: its percentile, its settings, its comparison at equal strain, its runs. */
#include <unistd.h>

#include "common/file_bytes.h"
#include "common/options.h"
#include "quality.h"
#include "support/test.h"

enum { ALL_METHODS = (1 << BENCH_METHODS) - 1 };

static bench_scene new_sheet(uint32_t size, bench_pin_kind pin) {
  const bench_scene_request request = {.sheet_size = size, .count = 1, .pin = {.kind = pin}};
  bench_scene scene;
  tool_message why;
  if (!bench_scene_make(&request, &scene, &why) || !bench_scene_add_flat(&scene, &why)) {
    ck_abort_msg("%s", why.text);
  }
  return scene;
}

// Runs all settings of the methods, on a machine however busy.
static void measure(bench_scene* scene, uint32_t method_bits, uint32_t threads, uint32_t steps,
                    bench_quality* quality) {
  const bench_quality_request request = {.method_bits = method_bits,
                                         .threads = threads,
                                         .steps = steps,
                                         .wrinkled = true,
                                         .quiet = true,
                                         .complete = true};
  tool_message why;
  if (!bench_measure_quality(&request, scene, quality, &why)) ck_abort_msg("%s", why.text);
}

// ---- the percentile ----

TEST(a_percentile_is_the_least_value_that_its_share_does_not_exceed) {
  static const struct {
    size_t count;
    double share, expected;
  } cases[] = {{1, 0.0, 1},      {1, 0.99, 1},   {1, 1.0, 1},       {2, 0.5, 1},
               {2, 0.51, 2},     {10, 0.99, 10}, {99, 0.99, 99},    {100, 0.99, 99},
               {101, 0.99, 100}, {100, 0.07, 7}, {1000, 0.99, 990}, {1000, 1.0, 1000}};
  random_source random = {1};
  double values[1000];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    // 1 to count, shuffled
    for (uint32_t k = 0; k < cases[i].count; ++k) {
      const uint32_t other = random_below(&random, k + 1);
      values[k] = values[other];
      values[other] = k + 1.0;
    }
    bench_samples samples = {values, cases[i].count, cases[i].count};
    (void)bench_samples_median(&samples);
    ck_assert_double_eq(bench_samples_quantile(&samples, cases[i].share), cases[i].expected);
  }
}

TEST(the_spread_of_strains_agrees_with_each_links_strain) {
  // 100 links of rest length 1, link k of length 1 + k / 100
  float positions[200][3] = {{0.0f}};
  weft_link_def links[100];
  double values[100];
  bench_samples strains = {values, 0, 100};
  for (uint32_t k = 0; k < 100; ++k) {
    positions[2 * k + 1][k % 3] = 1.0f + 0.01f * (float)k;
    links[k] = (weft_link_def){.a = 2 * k, .b = 2 * k + 1, .rest_length = 1.0f, .relaxation = 1.0f};
  }
  const bench_strain spread = bench_measure_strain(positions[0], links, 100, &strains);
  ck_assert_double_eq_tol(spread.mean, 0.495, 1e-6);
  ck_assert_double_eq_tol(spread.p99, 0.98, 1e-6);
  ck_assert_double_eq_tol(spread.max, 0.99, 1e-6);
  positions[7][0] = NAN;
  const bench_strain wild = bench_measure_strain(positions[0], links, 100, &strains);
  ck_assert(isnan(wild.mean) && isnan(wild.p99) && isnan(wild.max));
}

// ---- settings ----

TEST(the_settings_are_those_of_the_methods_asked_for) {
  bench_setting settings[BENCH_MOST_SETTINGS];
  const uint32_t expected[BENCH_METHODS] = {5, 5, 8, 8, 6, 5, 8, 8, 9};
  for (uint32_t bits = 0; bits <= ALL_METHODS; ++bits) {
    uint32_t wanted = 0, found[BENCH_METHODS] = {0};
    const uint32_t count = bench_list_settings(bits, settings);
    for (uint32_t i = 0; i < count; ++i) ++found[settings[i].method];
    for (uint32_t m = 0; m < BENCH_METHODS; ++m) {
      ck_assert_uint_eq(found[m], bits >> m & 1u ? expected[m] : 0);
      wanted += found[m];
    }
    ck_assert_uint_eq(count, wanted);
  }
}

TEST(no_setting_is_listed_twice_and_each_has_its_own_title) {
  bench_setting settings[BENCH_MOST_SETTINGS];
  char left[BENCH_MAX_CELL], right[BENCH_MAX_CELL];
  const uint32_t count = bench_list_settings(ALL_METHODS, settings);
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t k = 0; k < i; ++k) {
      bench_setting_title(&settings[i], left);
      bench_setting_title(&settings[k], right);
      ck_assert_str_ne(left, right);
    }
  }
}

TEST(sweeps_count_substeps_and_a_third_of_coarse_iterations) {
  const bench_setting plain = {BENCH_METHOD_PLAIN, 30, 0, 1, 0};
  const bench_setting substeps = {BENCH_METHOD_SUBSTEPS, 2, 0, 10, 0};
  const bench_setting coarse = {BENCH_METHOD_COARSE, 2, 12, 1, 0};
  ck_assert_double_eq(bench_sweeps(&plain), 30.0);
  ck_assert_double_eq(bench_sweeps(&substeps), 20.0);
  ck_assert_double_eq(bench_sweeps(&coarse), 6.0);
}

// ---- attachments of the serial loop ----

// Reach of a particle of a sheet to its nearest pin, from the sheet's own shape.
static float nearest_pin(const bench_scene* scene, uint32_t particle, bool is_corners) {
  const float* p = scene->positions + 3 * (size_t)particle;
  const float* pins[2] = {scene->positions, scene->positions + 3 * (size_t)(scene->size - 1)};
  if (!is_corners) return pins[0][1] - p[1];
  return fminf(hypotf(p[0] - pins[0][0], p[1] - pins[0][1]),
               hypotf(p[0] - pins[1][0], p[1] - pins[1][1]));
}

LOOP_TEST(the_serial_loop_is_attached_to_the_nearest_pins_at_their_straight_distance, 0, 2) {
  static const bench_pin_kind pins[] = {BENCH_PIN_TOP_ROW, BENCH_PIN_CORNERS};
  const bool is_corners = pins[_i] == BENCH_PIN_CORNERS;
  const uint32_t size = 17, pinned = is_corners ? 2 : size, islands = is_corners ? 2 : 1;
  bench_scene scene = new_sheet(size, pins[_i]);
  const bench_serial_setting setting = {
      .is_colored = true, .iterations = 1, .substeps = 1, .attachments = 4};
  bench_rung rung = {0};
  tool_message why;
  if (!bench_rung_make_serial(&setting, &scene, &rung, &why)) ck_abort_msg("%s", why.text);
  ck_assert_uint_eq(rung.cloth.attachment_count, (size * size - pinned) * islands);
  for (uint32_t i = 0; i < rung.cloth.attachment_count; i += islands) {
    const baseline_attachment* to = &rung.cloth.attachments[i];
    const float expected = nearest_pin(&scene, to->particle, is_corners);
    ck_assert(scene.inverse_masses[to->anchor] == 0.0f && scene.inverse_masses[to->particle] > 0);
    ck_assert_float_eq_tol(to->reach, expected, 1e-5f);
    ck_assert(i == 0 || to[-1].particle < to->particle);
  }
  bench_rung_free(&rung);
  bench_scene_free(&scene);
}

TEST(attachments_leave_the_serial_loop_and_the_engine_the_same_strain) {
  static bench_quality quality;
  bench_scene scene = new_sheet(33, BENCH_PIN_TOP_ROW);
  measure(&scene, 1u << BENCH_METHOD_COLORED_LRA | 1u << BENCH_METHOD_LRA, 1, 120, &quality);
  const uint32_t half = quality.count / 2;
  for (uint32_t i = 0; i < half; ++i) {
    const double ratio = quality.rows[i].strain.mean / quality.rows[half + i].strain.mean;
    ck_assert_msg(ratio > 0.7 && ratio < 2.0, "row %u: ratio %g", i, ratio);
  }
  bench_scene_free(&scene);
}

TEST(vertex_blocks_converge_to_the_rest_lengths) {
  static bench_quality quality;
  bench_scene scene = new_sheet(17, BENCH_PIN_TOP_ROW);
  measure(&scene, 1u << BENCH_METHOD_VERTEX_BLOCK, 1, 30, &quality);
  ck_assert_uint_eq(quality.count, 6);
  for (uint32_t i = 1; i < 4; ++i) {  // 10, 30, 100, 300 iterations
    ck_assert_double_lt(quality.rows[i].strain.mean, 0.6 * quality.rows[i - 1].strain.mean);
  }
  ck_assert_double_lt(quality.rows[3].strain.mean, 1e-3);
  bench_scene_free(&scene);
}

// ---- options ----

TEST(names_are_those_that_are_known_and_set_their_bits) {
  static const char* const bad[] = {"", "serial,", ",plain", "Plain", "plain coarse", "plai"};
  tool_message why;
  uint32_t bits = 0;
  ck_assert(tool_parse_names("--methods", "coarse,serial,coarse", bench_method_names, BENCH_METHODS,
                             &bits, &why));
  ck_assert_uint_eq(bits, 1u << BENCH_METHOD_COARSE | 1u << BENCH_METHOD_SERIAL);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    ck_assert(
        !tool_parse_names("--methods", bad[i], bench_method_names, BENCH_METHODS, &bits, &why));
    ck_assert_ptr_nonnull(strstr(why.text,
                                 "is not one of serial, colored, serial-lra, colored-lra, "
                                 "vertex-block, plain, substeps, lra, coarse"));
  }
}

TEST(a_number_is_finite_and_within_its_range) {
  static const char* const bad[] = {"", "x", "1x", "0.4", "3.1", "-1", "nan", "inf", "1e999"};
  tool_message why;
  double value = 0.0;
  ck_assert(tool_parse_number("--seconds", "0.5", 0.5, 3.0, &value, &why));
  ck_assert_double_eq(value, 0.5);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    char expected[128];
    snprintf(expected, sizeof expected, "--seconds: '%s' is not a number from 0.5 to 3", bad[i]);
    ck_assert(!tool_parse_number("--seconds", bad[i], 0.5, 3.0, &value, &why));
    ck_assert_str_eq(why.text, expected);
  }
}

// ---- runs ----

TEST(the_corners_of_a_sheet_are_its_first_and_last_of_the_top_row) {
  bench_scene scene = new_sheet(9, BENCH_PIN_CORNERS);
  for (uint32_t i = 0; i < scene.particle_count; ++i) {
    ck_assert((scene.inverse_masses[i] == 0.0f) == (i == 0 || i == 8));
  }
  bench_scene_free(&scene);
}

TEST(every_run_is_the_same_for_any_threads_and_leaves_the_plane) {
  static bench_quality one, two;
  bench_scene first = new_sheet(40, BENCH_PIN_TOP_ROW), second = new_sheet(40, BENCH_PIN_TOP_ROW);
  const uint32_t methods =
      1u << BENCH_METHOD_SUBSTEPS | 1u << BENCH_METHOD_LRA | 1u << BENCH_METHOD_COARSE;
  measure(&first, methods, 1, 3, &one);
  measure(&second, methods, 2, 3, &two);
  ck_assert_uint_eq(one.count, 25);
  ck_assert_uint_eq(two.count, one.count);
  for (uint32_t i = 0; i < one.count; ++i) {
    ck_assert(one.rows[i].state_hash == two.rows[i].state_hash);
    ck_assert(one.rows[i].strain.mean == two.rows[i].strain.mean);
    ck_assert(one.rows[i].strain.mean > 0.0 && one.rows[i].strain.mean <= one.rows[i].strain.p99);
    ck_assert(one.rows[i].strain.p99 <= one.rows[i].strain.max);
  }
  const float spacing = first.positions[3] - first.positions[0];
  for (uint32_t i = 0; i < first.particle_count; ++i) {
    const float depth = first.positions[3 * i + 2];
    require(fabsf(depth) <= 0.1f * spacing && (depth != 0.0f) == (i >= 40));
  }
  bench_scene_free(&first);
  bench_scene_free(&second);
}

static bench_quality_row new_row(bench_method method, double step_ms, double strain) {
  return (bench_quality_row){
      .step_ms = {.median = step_ms}, .strain = {.mean = strain}, .setting = {method, 10, 0, 1, 0}};
}

TEST(the_table_says_what_was_left_out) {
  static bench_quality quality = {.count = 1, .skipped_count = 1};
  char* text = NULL;
  size_t length = 0;
  FILE* out = open_memstream(&text, &length);
  quality.rows[0] = new_row(BENCH_METHOD_SERIAL, 100.0, 0.5);
  quality.skipped[0] = (bench_skipped){{BENCH_METHOD_SERIAL, 300, 0, 1, 0}, 175.0};
  bench_print_quality(out, &quality);
  fclose(out);
  ck_assert_ptr_nonnull(strstr(
      text,
      "skipped: serial, 300 iterations, which would take about 175 s, and 150 s is the most"));
  free(text);
}
