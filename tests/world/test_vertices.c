/* Vertex buffers: several attributes at once, normals and tangents, views, refused input. */
#include "support/moved.h"
#include "support/test.h"
#include "world/world.h"

enum { SIDE = 65, COUNT = SIDE * SIDE, PINS = SIDE };

// A sheet in motion, pinned along its first row, with faces.
static weft_world* new_sheet_world(weft_integrator integrator, uint32_t workers) {
  weft_scene* scene = new_sheet_scene(SIDE, SIDE, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(0, PINS)));
  weft_world* world = new_plain_world(scene, .integrator = integrator, .substeps = 2,
                                      .iterations = 2, .worker_count = workers);
  weft_world_step(world, 5);
  return world;
}

static void shuffle(random_source* random, uint32_t* numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) numbers[i] = i;
  for (uint32_t i = count - 1; i > 0; --i) {
    const uint32_t k = random_below(random, i + 1);
    const uint32_t number = numbers[i];
    numbers[i] = numbers[k];
    numbers[k] = number;
  }
}

// ---- reading ----

static const struct {
  weft_attribute attribute;
  size_t floats; /* or whole numbers of four bytes */
} getters[] = {
    {WEFT_ATTRIBUTE_POSITION, 3},     {WEFT_ATTRIBUTE_VELOCITY, 3}, {WEFT_ATTRIBUTE_TARGET, 3},
    {WEFT_ATTRIBUTE_INVERSE_MASS, 1}, {WEFT_ATTRIBUTE_FORCE, 3},    {WEFT_ATTRIBUTE_LEVEL, 1},
};
enum { GETTERS = sizeof(getters) / sizeof(*getters), FLOATS = 17 };

LOOP_TEST(a_read_gives_what_the_attributes_are_in_any_layout_and_order, 0, 6) {
  random_source random = {(uint64_t)_i + 1};
  weft_world* world = new_sheet_world((weft_integrator)_i, 1 + (uint32_t)_i % 3);
  const float up[3] = {0.0f, 0.5f, 0.1f};
  expect_add(world, WEFT_ATTRIBUTE_FORCE, 100, 50, up, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 3, 20, up, WEFT_SAME);
  uint32_t* numbers = test_alloc(COUNT * sizeof(*numbers));
  float* vertices = test_alloc(COUNT * sizeof(float[FLOATS]));
  float* packed = test_alloc(COUNT * sizeof(float[3]));
  shuffle(&random, numbers, COUNT);
  for (size_t i = 0; i < (size_t)COUNT * FLOATS; ++i) vertices[i] = -7.0f;
  weft_attribute_array arrays[GETTERS];
  for (size_t a = 0, offset = 1; a < GETTERS; offset += getters[a++].floats) {
    arrays[a] =
        (weft_attribute_array){getters[a].attribute, vertices + offset, sizeof(float[FLOATS])};
  }
  weft_vertices_def def = weft_default_vertices_def();
  def.arrays = arrays;
  def.array_count = GETTERS;
  for (int with_list = 0; with_list < 2; ++with_list) {
    def.selection = with_list ? weft_list(numbers, COUNT - 7) : weft_range(7, COUNT - 7);
    expect_ok(weft_world_read_vertices(world, &def));
    for (size_t a = 0; a < GETTERS; ++a) {
      expect_get(world, getters[a].attribute, 0, COUNT, packed);
      for (uint32_t n = 0; n < COUNT - 7; ++n) {
        const size_t number = with_list ? numbers[n] : 7 + n;
        const float* element = (const float*)arrays[a].values + (size_t)n * FLOATS;
        require(memcmp(element, packed + number * getters[a].floats,
                       getters[a].floats * sizeof(float)) == 0);
      }
    }
    for (uint32_t n = 0; n < COUNT; ++n) {
      require(vertices[n * FLOATS] == -7.0f && vertices[n * FLOATS + 15] == -7.0f);
    }
  }
}

static void read_one(const weft_world* world, weft_attribute attribute, float interpolation,
                     const float* uvs, size_t floats, float* values) {
  const weft_attribute_array array = {attribute, values, floats * sizeof(float)};
  weft_vertices_def def = weft_default_vertices_def();
  def.selection = weft_range(0, particle_count_of(world));
  def.arrays = &array;
  def.array_count = 1;
  def.interpolation = interpolation;
  def.uvs = uvs;
  def.uv_stride = sizeof(float[2]);
  expect_ok(weft_world_read_vertices(world, &def));
}

TEST(a_share_of_one_gives_the_present_positions) {
  weft_world* world = new_sheet_world(WEFT_INTEGRATOR_POSITION_VERLET, 2);
  put_floor(world, -3.05f, 0.0f);
  weft_world_step(world, 2);
  float* one = test_alloc(COUNT * sizeof(float[3]));
  float* other = test_alloc(COUNT * sizeof(float[3]));
  read_one(world, WEFT_ATTRIBUTE_POSITION, 1.0f, NULL, 3, one);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, COUNT, other);
  ck_assert(memcmp(one, other, COUNT * sizeof(float[3])) == 0);
}

// ---- normals and tangents ----

static void expect_vector(const float* is, float x, float y, float z) {
  require(fabsf(is[0] - x) < 1e-5f && fabsf(is[1] - y) < 1e-5f && fabsf(is[2] - z) < 1e-5f);
}

TEST(a_flat_sheet_has_one_normal_and_the_tangent_of_its_texture) {
  weft_scene* scene = new_scene();
  const weft_sheet_def sheet = weft_default_sheet_def();
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world* world = new_world_of(scene);
  float normals[1024 * 3], tangents[1024 * 4], uvs[1024 * 2];
  // u and v along x and y, then u mirrored, then exchanged
  for (int layout = 0; layout < 3; ++layout) {
    for (uint32_t i = 0; i < 1024; ++i) {
      const float column = (float)(i % 32), row = (float)(i / 32);
      uvs[2 * i] = layout == 2 ? -row : (layout == 1 ? -column : column);
      uvs[2 * i + 1] = layout == 2 ? column : -row;
    }
    read_one(world, WEFT_ATTRIBUTE_NORMAL, 1.0f, NULL, 3, normals);
    read_one(world, WEFT_ATTRIBUTE_TANGENT, 1.0f, uvs, 4, tangents);
    for (uint32_t i = 0; i < 1024; ++i) {
      expect_vector(normals + 3 * i, 0.0f, 0.0f, 1.0f);
      expect_vector(tangents + 4 * i, (float[]){1.0f, -1.0f, 0.0f}[layout], layout == 2, 0.0f);
      require(tangents[4 * i + 3] == (layout == 0 ? 1.0f : -1.0f));
    }
  }
}

TEST(normals_follow_the_faces_that_remain) {
  weft_world* world = new_sheet_world(WEFT_INTEGRATOR_POSITION_VERLET, 3);
  weft_body corner = {COUNT - 1, 1, 0, 0};
  expect_ok(weft_world_remove_body(world, &corner));
  float* normals = test_alloc(COUNT * sizeof(float[3]));
  float* positions = test_alloc(COUNT * sizeof(float[3]));
  double(*sums)[3] = test_alloc(COUNT * sizeof(*sums));
  uint32_t(*faces)[3] = test_alloc(sizeof(*faces) * 2 * COUNT);
  uint32_t count = 0;
  read_one(world, WEFT_ATTRIBUTE_NORMAL, 1.0f, NULL, 3, normals);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, COUNT, positions);
  expect_ok(weft_world_get_faces(world, 2 * COUNT, &faces[0][0], &count));
  for (uint32_t f = 0; f < count; ++f) {
    double e[2][3];
    for (int k = 0; k < 2; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        e[k][axis] = (double)positions[3 * faces[f][k + 1] + (uint32_t)axis] -
                     (double)positions[3 * faces[f][0] + (uint32_t)axis];
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      const int b = (axis + 1) % 3, c = (axis + 2) % 3;
      for (int k = 0; k < 3; ++k) sums[faces[f][k]][axis] += e[0][b] * e[1][c] - e[0][c] * e[1][b];
    }
  }
  for (uint32_t i = 0; i < COUNT; ++i) {
    const double length =
        sqrt(sums[i][0] * sums[i][0] + sums[i][1] * sums[i][1] + sums[i][2] * sums[i][2]);
    const double scale = length > 0.0 ? 1.0 / length : 0.0;
    expect_vector(normals + 3 * i, (float)(sums[i][0] * scale), (float)(sums[i][1] * scale),
                  (float)(sums[i][2] * scale));
  }
  expect_vector(normals + 3 * (COUNT - 1), 0.0f, 0.0f, 0.0f);
}

// ---- writing ----

LOOP_TEST(many_listed_elements_are_set_as_one_by_one_for_any_workers, 0, 3) {
  random_source random = {(uint64_t)_i + 1};
  enum { SOME = 3000 };
  weft_world* one = new_sheet_world((weft_integrator)_i, 3);
  weft_world* other = new_sheet_world((weft_integrator)_i, 1);
  uint32_t* numbers = test_alloc(COUNT * sizeof(*numbers));
  float(*values)[12] = test_alloc(sizeof(*values) * SOME);
  shuffle(&random, numbers, COUNT);
  for (uint32_t n = 0; n < SOME; ++n) {
    for (int k = 0; k < 12; ++k) values[n][k] = random_float(&random, -0.5f, 0.5f);
    values[n][9] = random_float(&random, 100.0f, 2000.0f);
  }
  const weft_selection some = weft_list(numbers, SOME);
  const size_t stride = sizeof(*values);
  expect_ok(weft_world_set(one, WEFT_ATTRIBUTE_POSITION, some, values[0], stride));
  expect_ok(weft_world_set(one, WEFT_ATTRIBUTE_VELOCITY, some, values[0] + 3, stride));
  expect_ok(weft_world_set(one, WEFT_ATTRIBUTE_INVERSE_MASS, some, values[0] + 9, stride));
  expect_ok(weft_world_add(one, WEFT_ATTRIBUTE_FORCE, some, values[0] + 6, stride));
  for (uint32_t n = 0; n < SOME; ++n) {
    expect_set(other, WEFT_ATTRIBUTE_POSITION, numbers[n], 1, values[n], 0);
    expect_set(other, WEFT_ATTRIBUTE_VELOCITY, numbers[n], 1, values[n] + 3, 0);
    expect_set(other, WEFT_ATTRIBUTE_INVERSE_MASS, numbers[n], 1, values[n] + 9, 0);
    expect_add(other, WEFT_ATTRIBUTE_FORCE, numbers[n], 1, values[n] + 6, 0);
  }
  ck_assert_uint_eq(weft_world_hash(one), weft_world_hash(other));
  weft_world_step(one, 2);
  weft_world_step(other, 2);
  ck_assert_uint_eq(weft_world_hash(one), weft_world_hash(other));
}

TEST(listed_pins_move_to_their_targets) {
  weft_world* world = new_sheet_world(WEFT_INTEGRATOR_POSITION_VERLET, 1);
  const uint32_t numbers[3] = {40, 2, 17};
  const float targets[3][3] = {{1.0f, 0.1f, 0.0f}, {2.0f, 0.2f, 0.0f}, {3.0f, 0.3f, 0.0f}};
  float positions[3][3];
  expect_ok(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_list(numbers, 3), targets, 0));
  weft_world_step(world, 1);
  expect_ok(weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_list(numbers, 3), positions, 0));
  ck_assert_mem_eq(positions, targets, sizeof(positions));
}

// ---- refused input ----

TEST(bad_defs_and_arrays_are_refused) {
  weft_world* world = new_sheet_world(WEFT_INTEGRATOR_POSITION_VERLET, 1);
  float values[2][3][3] = {{{0.0f}}};
  const uint32_t numbers[3] = {5, COUNT, 6};
  weft_attribute_array arrays[2] = {
      {WEFT_ATTRIBUTE_POSITION, values[0][0], sizeof(float[3])},
      {WEFT_ATTRIBUTE_VELOCITY, values[1][0], sizeof(float[3])},
  };
  const weft_attribute_array good[2] = {arrays[0], arrays[1]};
  weft_vertices_def def = weft_default_vertices_def();
  expect_ok(weft_world_read_vertices(world, &def));
  def.selection = weft_range(100, 3);
  def.array_count = 2;
  expect_null(weft_world_read_vertices(NULL, &def), "world");
  expect_null(weft_world_read_vertices(world, NULL), "def");
  expect_null(weft_world_read_vertices(world, &def), "weft_vertices_def.arrays");
  def.arrays = arrays;
  def.selection = weft_range(COUNT - 2, 3);
  expect_past_end(weft_world_read_vertices(world, &def));
  def.selection = weft_list(numbers, 3);
  expect_error_at(weft_world_read_vertices(world, &def), WEFT_ERROR_INDEX, "selection.indices", 1);
  def.selection = weft_range(100, 3);
  const int no_particles[] = {-1, WEFT_ATTRIBUTE_COUNT, WEFT_ATTRIBUTE_LINK_TORN};
  for (int k = 0; k < 3; ++k) {
    arrays[1].attribute = (weft_attribute)no_particles[k];
    expect_error_at(weft_world_read_vertices(world, &def), WEFT_ERROR_RANGE,
                    "weft_attribute_array.attribute", 1);
  }
  arrays[1] = good[1];
  arrays[1].values = NULL;
  expect_error_at(weft_world_read_vertices(world, &def), WEFT_ERROR_NULL,
                  "weft_attribute_array.values", 1);
  const size_t strides[] = {1, 8, 11, 13, WEFT_SAME};
  for (int k = 0; k < 5; ++k) {
    arrays[1] = good[1];
    arrays[1].stride = strides[k];
    expect_error_at(weft_world_read_vertices(world, &def), WEFT_ERROR_RANGE,
                    "weft_attribute_array.stride", 1);
  }
}

TEST(tangents_need_textures) {
  weft_world* world = new_world_of(new_sheet_scene(4, 4, ALL_FAMILIES));
  float values[16 * 4], uvs[16 * 2] = {0.0f};
  const weft_attribute_array array = {WEFT_ATTRIBUTE_TANGENT, values, 0};
  weft_vertices_def def = weft_default_vertices_def();
  def.selection = weft_range(0, 16);
  def.arrays = &array;
  def.array_count = 1;
  expect_null(weft_world_read_vertices(world, &def), "weft_vertices_def.uvs");
  def.uvs = uvs;
  def.uv_stride = 4;
  expect_error(weft_world_read_vertices(world, &def), WEFT_ERROR_RANGE,
               "weft_vertices_def.uv_stride");
  def.uv_stride = 8;
  expect_ok(weft_world_read_vertices(world, &def));
}

// ---- views ----

LOOP_TEST(a_view_is_the_columns_and_holds_while_the_world_runs, 0, 2) {
  weft_world* world = new_sheet_world((weft_integrator)_i, 2);
  weft_view view, later;
  expect_null(weft_world_get_view(NULL, &view), "world");
  expect_null(weft_world_get_view(world, NULL), "view");
  expect_ok(weft_world_get_view(world, &view));
  const weft__particles* p = &world->stepper.particles;
  ck_assert(view.position[0] == p->pos_x && view.position[1] == p->pos_y &&
            view.position[2] == p->pos_z && view.previous[0] == p->prev_x &&
            view.velocity[2] == p->vel_z && view.inverse_mass == p->inv_mass);
  // wind, forces, shapes and bounds allocate; none of them moves the columns
  const weft_wind_def wind = weft_default_wind_def();
  const weft_bounds_def bounds = weft_default_bounds_def();
  const weft_particle_shape_def shape = weft_default_particle_shape_def();
  expect_ok(weft_world_set_wind(world, &wind));
  expect_ok(weft_world_set_bounds(world, &bounds));
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &shape));
  weft_world_step(world, 3);
  expect_ok(weft_world_get_view(world, &later));
  const size_t first = offsetof(weft_view, index_of);
  const size_t bytes = offsetof(weft_view, previous_rate) - first;
  ck_assert(memcmp((char*)&view + first, (char*)&later + first, bytes) == 0);
  ck_assert_uint_eq(view.particle_count, COUNT);
  for (uint32_t number = 0; number < COUNT; number += 13) {
    const uint32_t i = view.index_of[number];
    float position[3], velocity[3];
    get_one(world, number, position, velocity);
    require(view.number_of[i] == number);
    for (int axis = 0; axis < 3; ++axis) {
      require(view.position[axis][i] == position[axis]);
      const float here = view.position[axis][i], before = view.previous[axis][i];
      const float moved = here == before ? 0.0f : here - before + view.carried[axis][i];
      const float v = view.velocity[axis] != NULL
                          ? view.velocity[axis][i] + view.velocity_lag[axis][i]
                          : moved * view.previous_rate;
      require(v == velocity[axis]);
    }
  }
}
