/* Tables of state: each member and column of one is in a snapshot, and nothing else is. */
#include "base/memory.h"
#include "modules/articulated/rods.h"
#include "modules/bending/lines.h"
#include "modules/ccd/ccd.h"
#include "modules/sleep/sleep.h"
#include "modules/spheres/particle_contacts.h"
#include "support/bend_scenes.h"
#include "support/full.h"
#include "support/rods.h"
#include "support/saved.h"
#include "support/test.h"
#include "world/snapshot.h"

// ---- worlds that have all columns between them ----

static weft_world* new_full(weft_scene** scene, weft_world_def* def) {
  const float to[3] = {0.0f, 0.2f, 0.0f};
  *scene = new_full_scene();
  *def = busy_def(WEFT_INTEGRATOR_POSITION_VERLET);
  weft_world* world = new_full_world(def, *scene);
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, to, 0);
  return world;
}

static weft_world* new_velocities(weft_scene** scene, weft_world_def* def) {
  *scene = new_full_scene();
  *def = busy_def(WEFT_INTEGRATOR_VELOCITY_VERLET);
  return new_full_world(def, *scene);
}

// A sheet and meshes that bend, one with creases, a membrane, a rod and a rigid sheet: their loads
// are tracked, or they are solved directly.
static weft_world* new_bent(weft_scene** scene, weft_world_def* def, bool has_loads) {
  random_source random = {0};
  const weft_material_def membrane =
      material_def(.membrane = true, .stretch_stiffness = 200.0f, .shear_stiffness = 100.0f);
  weft_material_def creased = bend_material(1e-5f);
  creased.crease_angle = 0.1f;
  *scene = new_scene();
  (void)add_bend_sheet(*scene, 40, 30, 1e-5f);
  (void)add_bend_net(*scene, 12, 12, true, 0.0f, 1e-5f);
  (void)add_random_mesh_of(*scene, &random, 8, &membrane, 0.0f);
  (void)add_random_mesh_of(*scene, &random, 6, &creased, 0.0f);
  const weft_rod_def rod = held_rod(8, 0.1);
  expect_ok(weft_scene_add_rod(*scene, &rod, NULL));
  expect_ok(weft_scene_pin(*scene, weft_range(0, 40)));
  const weft_sheet_def rigid = sheet_def(.side = 6, .spacing = 0.05f, .origin = {3.0f});
  weft_body hung;
  expect_ok(weft_scene_add_sheet(*scene, &rigid, &hung));
  expect_ok(weft_scene_pin(*scene, weft_range(hung.first_particle, 6)));
  *def = direct_def();
  def->loads = has_loads;
  def->solver.attachments = has_loads ? 0 : 2;
  weft_world* world = new_world(def, *scene);
  weft_world_step(world, 3);
  return world;
}

static weft_world* new_loaded(weft_scene** scene, weft_world_def* def) {
  return new_bent(scene, def, true);
}

static weft_world* new_direct(weft_scene** scene, weft_world_def* def) {
  return new_bent(scene, def, false);
}

// Thick cloth and beside it two spheres that turn, on a floor, in each of two environments; they
// may sleep.
static weft_world* new_crowd(weft_scene** scene, weft_world_def* def) {
  const float spheres[2][3] = {{0.05f, -0.05f, 0.085f}, {0.05f, 0.1f, 0.085f}};
  const float inverse_masses[2] = {1.0f, 1.0f};
  weft_scene* one = new_scene();
  *scene = new_scene();
  const weft_body sheet = add_bend_sheet(one, 12, 12, 0.0f);
  expect_ok(weft_scene_add_particles(one, spheres[0], inverse_masses, 2, NULL));
  for (uint32_t e = 0; e < 2; ++e) {
    expect_ok(weft_scene_add_scene(*scene, one, NULL, NULL, e, NULL));
  }
  weft_scene_destroy(&one);
  *def = weft_default_world_def();
  def->sleep_speed = 0.1f;
  weft_world* world = new_world(def, *scene);
  weft_bounds_def bounds = weft_default_bounds_def();
  weft_particle_shape_def sphere = sphere_contact(0.08f), cloth = sphere;
  bounds.lower[1] = -0.15f;
  sphere.turns = true;
  cloth.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  cloth.half_size[0] = 0.004f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  for (uint32_t e = 0; e < 2; ++e) {
    const uint32_t first = e * (sheet.particle_count + 2);
    expect_ok(
        weft_world_set_particle_shape(world, weft_range(first, sheet.particle_count), &cloth));
    expect_ok(
        weft_world_set_particle_shape(world, weft_range(first + sheet.particle_count, 2), &sphere));
  }
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = 1.0f;
  expect_ok(weft_world_set_environment_wind(world, weft_range(1, 1), &wind));
  weft_world_step(world, 5);
  return world;
}

typedef weft_world* new_stateful(weft_scene** scene, weft_world_def* def);
static new_stateful* const worlds[] = {new_full, new_velocities, new_loaded, new_direct, new_crowd};

// ---- columns ----

enum { MOST_ROWS = 40, MOST_COLUMNS = 128 };

// Columns that had rows in some world.
static bool seen[MOST_ROWS][MOST_COLUMNS];

static void expect_same_column(const void* a, const void* b, const weft__column* column) {
  const size_t rows = weft__rows_of(a, &column->used);
  ck_assert_uint_eq(weft__rows_of(b, &column->used), rows);
  for (uint32_t part = 0; part < column->parts && rows > 0; ++part) {
    const void* of_a = weft__column_array(a, column, part);
    const void* of_b = weft__column_array(b, column, part);
    ck_assert_msg((of_a == NULL) == (of_b == NULL), "%s is lacking", column->name);
    if (of_a == NULL) continue;
    ck_assert_msg(memcmp(of_a, of_b, rows * column->size) == 0, "%s differs", column->name);
  }
  if (column->parts > 0) return;
  const size_t at = column->offset;
  ck_assert_msg(memcmp((const char*)a + at, (const char*)b + at, column->size) == 0, "%s differs",
                column->name);
}

// Compares all that is saved of two worlds.
static void expect_same_state(const weft_world* a, const weft_world* b) {
  for (size_t r = 0; r < weft__state_table_count(); ++r) {
    const weft__table* table = weft__state_table(r);
    const void* of_a = weft__state_struct(a, r);
    const void* of_b = weft__state_struct(b, r);
    for (uint32_t c = 0; table != NULL && c < table->count; ++c) {
      const weft__column* column = &table->columns[c];
      if ((column->kind & WEFT__SAVED) == 0) continue;
      expect_same_column(of_a, of_b, column);
      seen[r][c] |= column->parts == 0 || (weft__rows_of(of_a, &column->used) > 0 &&
                                           weft__column_array(of_a, column, 0) != NULL);
    }
  }
}

TEST(each_column_of_state_survives_into_a_fresh_world_byte_by_byte) {
  ck_assert_uint_le(weft__state_table_count(), MOST_ROWS);
  for (size_t w = 0; w < WEFT__COUNT_OF(worlds); ++w) {
    weft_scene* scene = NULL;
    weft_world_def def;
    weft_world* world = worlds[w](&scene, &def);
    def.worker_count = 2;
    weft_world* fresh = new_world(&def, scene);
    saved_world saved = save_world(world);
    restore_world(fresh, &saved);
    expect_same_state(world, fresh);
    weft_world_destroy(&fresh);
    weft_world_destroy(&world);
  }
  for (size_t r = 0; r < weft__state_table_count(); ++r) {
    const weft__table* table = weft__state_table(r);
    for (uint32_t c = 0; table != NULL && c < table->count; ++c) {
      const bool is_saved = (table->columns[c].kind & WEFT__SAVED) != 0;
      ck_assert_msg(!is_saved || seen[r][c], "no world has %s", table->columns[c].name);
    }
  }
}

// ---- gaps ----

// Requires zeros from the end of `size` bytes to the next word, and goes on there.
static const unsigned char* expect_gap(const unsigned char* at, size_t size) {
  for (at += size; size % 8 != 0; ++size) ck_assert_uint_eq(*at++, 0);
  return at;
}

static const unsigned char* expect_gaps(const void* table, const weft__column* column,
                                        const unsigned char* at) {
  if (column->parts == 0) return expect_gap(at, column->size);
  const size_t rows = weft__rows_of(table, &column->used);
  for (uint32_t part = 0; part < column->parts && rows > 0; ++part) {
    const uint64_t count = weft__column_array(table, column, part) != NULL ? rows : 0;
    const uint64_t head[2] = {count, column->size};
    ck_assert_mem_eq(at, head, sizeof(head));
    at = expect_gap(at + sizeof(head), count * column->size);
  }
  return at;
}

// Members and columns one after the other, each from a whole word on.
LOOP_TEST(a_table_is_saved_column_by_column_and_gaps_are_zero, 0, WEFT__COUNT_OF(worlds)) {
  weft_scene* scene = NULL;
  weft_world_def def;
  weft_world* world = worlds[_i](&scene, &def);
  saved_world saved = save_world(world);
  for (size_t r = 0; r < weft__state_table_count(); ++r) {
    const weft__table* table = weft__state_table(r);
    const void* of = weft__state_struct(world, r);
    if (table == NULL) continue;
    memset(saved.bytes, 0xff, saved.size);
    weft__archive archive = {.mode = WEFT__ARCHIVE_WRITE, .to = saved.bytes};
    weft__archive_table(&archive, (void*)of, table);
    const unsigned char* at = saved.bytes;
    for (uint32_t c = 0; c < table->count; ++c) {
      const weft__column* column = &table->columns[c];
      if ((column->kind & WEFT__SAVED) != 0) at = expect_gaps(of, column, at);
    }
    ck_assert_ptr_eq(at, saved.bytes + archive.at);
  }
}

#if defined(__GNUC__) && !defined(__clang__)
// Column or member whose elements are not single numbers. Padding: bytes that no assignment of
// members writes.
typedef struct element {
  const char* name;
  bool has_padding;
} element;

#define HAS_PADDING(of)                                    \
  __extension__({                                          \
    __typeof__(of) probe;                                  \
    memset((void*)&probe, 0xff, sizeof(probe));            \
    __builtin_clear_padding(&probe);                       \
    memchr((const void*)&probe, 0, sizeof(probe)) != NULL; \
  })
#define ELEMENT(type, member) \
  { #member, HAS_PADDING(((type*)0)->member) }
#define ROWS_OF(type, column) \
  { #column, HAS_PADDING(((type*)0)->column[0]) }

TEST(elements_of_state_have_no_padding) {
  const element elements[] = {
      ELEMENT(weft_world, stepper.physics.gravity),
      ELEMENT(weft_world, stepper.physics.max_speed),
      ELEMENT(weft_world, stepper.work),
      ROWS_OF(weft_world, stepper.environments),
      ELEMENT(weft__bounds, lower),
      ELEMENT(weft__bounds, upper),
      ELEMENT(weft__bounds, middle),
      ROWS_OF(weft__bounds, touch),
      ROWS_OF(weft__moves, moves),
      ELEMENT(weft__grips, grips),
      ROWS_OF(weft__grips, held),
      ROWS_OF(weft__schedule, hinges.lanes),
      ROWS_OF(weft__schedule, membranes.lanes),
      ROWS_OF(weft__schedule, hinges.multipliers),
      ROWS_OF(weft__joints, joints),
      ELEMENT(weft__forces, air),
      ROWS_OF(weft__forces, airs),
      ROWS_OF(weft__forces, pressures.pressures),
      ELEMENT(weft__materials, shape_count),
      ELEMENT(weft__materials, between),
      ROWS_OF(weft__materials, rows),
      ROWS_OF(weft__contact_log, now),
      ELEMENT(weft__particle_contacts, color_first),
      ROWS_OF(weft__particle_contacts, boxes),
      ROWS_OF(weft__particle_contacts, contacts),
      ROWS_OF(weft__particle_contacts, wall_contacts),
      ROWS_OF(weft__rods, frame),
      ROWS_OF(weft__rods, end),
      ROWS_OF(weft__bend_lines, multiplier),
      ELEMENT(weft__ccd, level_first),
      ELEMENT(weft__ccd, level_count),
      ROWS_OF(weft__ccd, impact_zone),
      ROWS_OF(weft__sleep, boxes),
  };
  for (size_t r = 0, n = 0; r < weft__state_table_count(); ++r) {
    const weft__table* table = weft__state_table(r);
    for (uint32_t c = 0; table != NULL && c < table->count; ++c) {
      const weft__column* column = &table->columns[c];
      if ((column->kind & WEFT__SAVED) == 0 || column->size <= sizeof(double)) continue;
      ck_assert_msg(n < WEFT__COUNT_OF(elements), "%s is not in the list", column->name);
      ck_assert_str_eq(elements[n].name, column->name);
      ck_assert_msg(!elements[n++].has_padding, "%s has padding", column->name);
    }
  }
}
#endif

static void* allocate_filled(void* context, size_t bytes, size_t alignment) {
  void* memory = aligned_alloc(alignment, bytes);
  if (memory != NULL) memset(memory, *(const int*)context, bytes);
  return memory;
}

static void release(void* context, void* memory) {
  (void)context;
  free(memory);
}

// Bytes that no one has written, padding too, would have the value of the memory.
LOOP_TEST(snapshots_do_not_depend_on_the_memory_that_tables_are_made_in, 0,
          WEFT__COUNT_OF(worlds)) {
  saved_world saved[2];
  for (int k = 0; k < 2; ++k) {
    int filling = k == 0 ? 0x00 : 0xa5;
    weft_scene* scene = NULL;
    weft_world_def def;
    weft_host_def host = weft_default_host_def();
    host.context = &filling;
    host.allocate = allocate_filled;
    host.release = release;
    expect_ok(weft_set_host(&host));
    weft_world* world = worlds[_i](&scene, &def);
    saved[k] = save_world(world);
    weft_world_destroy(&world);
    weft_scene_destroy(&scene);
    host = weft_default_host_def();
    expect_ok(weft_set_host(&host));
  }
  ck_assert_uint_eq(saved[0].size, saved[1].size);
  ck_assert_mem_eq(saved[0].bytes, saved[1].bytes, saved[0].size);
}
