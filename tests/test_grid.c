#include "contact/grid.h"

#include <math.h>

#include "support/random.h"
#include "support/suite.h"

// ---- a cloud of points, sorted ----

typedef struct cloud {
  uint32_t count;
  float* axes[3];
  uint32_t* list; /* every other point, backwards: NULL in half of the rounds */
  uint32_t item_count;
} cloud;

static float* new_floats(uint32_t count) {
  return malloc((count + 1) * sizeof(float));
}

static cloud new_cloud(random_source* random, uint32_t count, float size) {
  cloud c = {.count = count, .item_count = count};
  for (int axis = 0; axis < 3; ++axis) {
    c.axes[axis] = new_floats(count);
    for (uint32_t i = 0; i < count; ++i) c.axes[axis][i] = random_float(random, -size, size);
  }
  if (random_chance(random, 2)) {
    c.item_count = count / 2;
    c.list = malloc((count + 1) * sizeof(*c.list));
    for (uint32_t i = 0; i < c.item_count; ++i) c.list[i] = count - 1 - 2 * i;
  }
  return c;
}

static void free_cloud(cloud* c) {
  for (int axis = 0; axis < 3; ++axis) free(c->axes[axis]);
  free(c->list);
}

static uint32_t point_of(const cloud* c, uint32_t item) {
  return c->list == NULL ? item : c->list[item];
}

static weft__grid_points points_of(const cloud* c) {
  return (weft__grid_points){c->axes[0], c->axes[1], c->axes[2], c->list, c->item_count};
}

typedef struct sort_job {
  weft__grid* grid;
  weft__grid_points points;
  float cell_size;
  weft__worker_pool* pool;
} sort_job;

static void sort_task(void* context, uint32_t worker) {
  const sort_job* job = context;
  weft__grid_sort(job->grid, &job->points, job->cell_size, job->pool, worker);
}

static weft__grid new_grid(const cloud* c, float cell_size, uint32_t worker_count) {
  weft__grid grid;
  ck_assert(weft__grid_create(&grid, c->item_count, worker_count));
  sort_job job = {&grid, points_of(c), cell_size, weft__worker_pool_create(worker_count)};
  weft__worker_pool_run(job.pool, sort_task, &job);
  weft__worker_pool_destroy(job.pool);
  return grid;
}

// ---- what is found ----

typedef struct finding {
  uint32_t* times; /* [item_count] */
  uint32_t sum;
} finding;

static void note(void* context, uint32_t item) {
  finding* f = context;
  ++f->times[item];
  ++f->sum;
}

static finding find(const weft__grid* grid, uint32_t item_count, const float* least,
                    const float* most) {
  finding f = {.times = calloc(item_count + 1, sizeof(*f.times))};
  weft__grid_find(grid, least, most, note, &f);
  return f;
}

static bool is_inside(const cloud* c, uint32_t item, const float* least, const float* most) {
  for (int axis = 0; axis < 3; ++axis) {
    const float at = c->axes[axis][point_of(c, item)];
    if (!(at >= least[axis] && at <= most[axis])) return false;
  }
  return true;
}

static void expect_all_inside_found(const cloud* c, const weft__grid* grid, const float* least,
                                    const float* most) {
  finding f = find(grid, c->item_count, least, most);
  for (uint32_t i = 0; i < c->item_count; ++i) {
    require(f.times[i] <= 1);
    if (is_inside(c, i, least, most)) require(f.times[i] == 1);
  }
  free(f.times);
}

static void draw_box(random_source* random, float size, float across, float* least, float* most) {
  for (int axis = 0; axis < 3; ++axis) {
    least[axis] = random_float(random, -1.2f * size, 1.2f * size);
    most[axis] = least[axis] + random_float(random, 0.0f, across);
  }
}

START_TEST(all_that_lies_in_a_box_is_found_once) {
  random_source random = {(uint64_t)_i};
  const float size = random_float(&random, 0.1f, 10.0f);
  cloud c = new_cloud(&random, random_below(&random, 3000), size);
  const float cell_size = size * random_float(&random, 0.02f, 0.6f);
  weft__grid grid = new_grid(&c, cell_size, 1 + (uint32_t)_i % 4);
  for (int round = 0; round < 50; ++round) {
    float least[3];
    float most[3];
    draw_box(&random, size, round % 2 == 0 ? 2.0f * cell_size : size, least, most);
    expect_all_inside_found(&c, &grid, least, most);
  }
  weft__grid_destroy(&grid);
  free_cloud(&c);
}
END_TEST

START_TEST(no_more_is_found_than_what_is_in_the_cells_of_the_box) {
  random_source random = {(uint64_t)_i + 100};
  cloud c = new_cloud(&random, 4000, 5.0f);
  const float cell_size = 0.5f;
  weft__grid grid = new_grid(&c, cell_size, 2);
  for (int round = 0; round < 50; ++round) {
    float least[3];
    float most[3];
    draw_box(&random, 5.0f, 1.0f, least, most);
    finding f = find(&grid, c.item_count, least, most);
    for (int axis = 0; axis < 3; ++axis) {
      least[axis] -= cell_size;
      most[axis] += cell_size;
    }
    for (uint32_t i = 0; i < c.item_count; ++i) {
      if (f.times[i] > 0) require(is_inside(&c, i, least, most));
    }
    free(f.times);
  }
  weft__grid_destroy(&grid);
  free_cloud(&c);
}
END_TEST

// ---- the order ----

START_TEST(any_number_of_workers_sorts_the_same) {
  random_source random = {(uint64_t)_i + 200};
  cloud c = new_cloud(&random, 1 + random_below(&random, 5000), 1.0f);
  weft__grid first = new_grid(&c, 0.13f, 1);
  const uint32_t counts[] = {2, 3, 7, 16};
  for (int k = 0; k < 4; ++k) {
    weft__grid other = new_grid(&c, 0.13f, counts[k]);
    ck_assert_mem_eq(other.first, first.first, (first.bucket_count + 1) * sizeof(*first.first));
    ck_assert_mem_eq(other.items, first.items, c.item_count * sizeof(*first.items));
    ck_assert_mem_eq(other.keys, first.keys, c.item_count * sizeof(*first.keys));
    weft__grid_destroy(&other);
  }
  weft__grid_destroy(&first);
  free_cloud(&c);
}
END_TEST

START_TEST(items_of_a_bucket_ascend_and_every_item_is_there) {
  random_source random = {(uint64_t)_i + 300};
  cloud c = new_cloud(&random, 4000, 1.0f);
  weft__grid grid = new_grid(&c, 0.3f, 3);
  bool* there = calloc(c.item_count + 1, sizeof(*there));
  ck_assert_uint_eq(grid.first[0], 0);
  ck_assert_uint_eq(grid.first[grid.bucket_count], c.item_count);
  for (uint32_t b = 0; b < grid.bucket_count; ++b) {
    for (uint32_t i = grid.first[b]; i < grid.first[b + 1]; ++i) {
      require(weft__grid_bucket(&grid, grid.keys[i]) == b);
      require(i == grid.first[b] || grid.items[i] > grid.items[i - 1]);
      there[grid.items[i]] = true;
    }
  }
  for (uint32_t i = 0; i < c.item_count; ++i) require(there[i]);
  free(there);
  weft__grid_destroy(&grid);
  free_cloud(&c);
}
END_TEST

// ---- strange places ----

START_TEST(points_anywhere_are_sorted_and_found) {
  random_source random = {(uint64_t)_i + 400};
  cloud c = new_cloud(&random, 500, 1.0f);
  const float strange[] = {NAN, INFINITY, -INFINITY, 1e8f, -1e8f, 3e38f, -3e38f, 1e-42f, -0.0f};
  const uint32_t strange_count = sizeof(strange) / sizeof(*strange);
  for (uint32_t i = 0; i < c.count; ++i) {
    c.axes[random_below(&random, 3)][i] = strange[random_below(&random, strange_count)];
  }
  weft__grid grid = new_grid(&c, 1e-3f, 3);
  for (int round = 0; round < 200; ++round) {
    float least[3];
    float most[3];
    draw_box(&random, 1.0f, 0.01f, least, most);
    const uint32_t center = random_below(&random, c.count);
    for (int axis = 0; axis < 3; ++axis) {
      if (round % 2 == 0) least[axis] = c.axes[axis][center];
      if (round % 2 == 0) most[axis] = nextafterf(least[axis], INFINITY);
    }
    expect_all_inside_found(&c, &grid, least, most);
  }
  weft__grid_destroy(&grid);
  free_cloud(&c);
}
END_TEST

START_TEST(a_box_around_everything_finds_everything) {
  random_source random = {17};
  cloud c = new_cloud(&random, 1000, 1.0f);
  weft__grid grid = new_grid(&c, 1e-3f, 2);
  const float all[] = {INFINITY, INFINITY, INFINITY};
  const float none[] = {-INFINITY, -INFINITY, -INFINITY};
  finding f = find(&grid, c.item_count, none, all);
  ck_assert_uint_eq(f.sum, c.item_count);
  free(f.times);
  weft__grid_destroy(&grid);
  free_cloud(&c);
}
END_TEST

START_TEST(cell_numbers_rise_with_the_coordinate) {
  random_source random = {(uint64_t)_i + 500};
  for (int round = 0; round < 1000; ++round) {
    const float inv_size = expf(random_float(&random, -14.0f, 14.0f));
    const float low =
        random_float(&random, -1.0f, 1.0f) * expf(random_float(&random, -30.0f, 30.0f));
    const float high = low + fabsf(low) * random_float(&random, 0.0f, 1e-3f);
    require(weft__grid_number(low, inv_size) <= weft__grid_number(high, inv_size));
    const double cells = (double)low * (double)inv_size;
    if (fabs(cells) < 1e9) {
      require((double)weft__grid_number(low, inv_size) <= cells);
      require((double)weft__grid_number(low, inv_size) + 1.0 > cells);
    }
  }
}
END_TEST

int main(void) {
  test_suite suite = new_suite("grid");
  tcase_add_loop_test(suite.tests, all_that_lies_in_a_box_is_found_once, 0, ROUNDS(40, 12));
  tcase_add_loop_test(suite.tests, no_more_is_found_than_what_is_in_the_cells_of_the_box, 0, 4);
  tcase_add_loop_test(suite.tests, any_number_of_workers_sorts_the_same, 0, ROUNDS(20, 5));
  tcase_add_loop_test(suite.tests, items_of_a_bucket_ascend_and_every_item_is_there, 0, 4);
  tcase_add_loop_test(suite.tests, points_anywhere_are_sorted_and_found, 0, ROUNDS(20, 5));
  tcase_add_test(suite.tests, a_box_around_everything_finds_everything);
  tcase_add_loop_test(suite.tests, cell_numbers_rise_with_the_coordinate, 0, 5);
  return run_suite(suite);
}
