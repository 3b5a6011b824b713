#include "support/snapshot.h"
#include "support/test.h"

// expects the add call to fail with this error, to leave the scene unchanged and usable
static void expect_refusal(const weft_sheet_def* def, weft_error error, const char* field,
                           uint64_t index) {
  expect_not_added(weft_scene_add_sheet(scene, def, &body), error, field, index);
}

TEST(directions_must_not_be_parallel) {
  for (float sign = -1.0f; sign <= 1.0f; sign += 2.0f) {
    weft_sheet_def def = weft_default_sheet_def();
    memcpy(def.down, def.across, sizeof(def.down));
    def.down[0] *= sign;
    expect_refusal(&def, WEFT_ERROR_DEGENERATE, "weft_sheet_def.down", 0);
  }
}

TEST(sheets_above_the_limits_are_refused_before_memory_is_taken) {
  weft_sheet_def def = sheet_def(.side = 65535);
  expect_refusal(&def, WEFT_ERROR_TOO_MANY, "particles", 0);
  // the particle count is within the limit, the link count (six links a particle) is not
  def.rows = 4000;
  def.bend = true;
  expect_refusal(&def, WEFT_ERROR_TOO_MANY, "links", 0);
}

TEST(null_is_refused) {
  const weft_sheet_def def = weft_default_sheet_def();
  expect_refusal(NULL, WEFT_ERROR_NULL, "def", 0);
  expect_null(weft_scene_add_sheet(NULL, &def, NULL), "scene");
}

// ---- contents of an accepted sheet ----

// sheet in a random tilted plane
static weft_sheet_def draw_sheet(random_source* random) {
  weft_sheet_def def = sheet_def(.bend = true);
  def.columns = random_from(random, 1, 20);
  def.rows = random_from(random, 1, 20);
  def.spacing = random_float(random, 0.01f, 1.0f);
  def.particle_mass = random_float(random, 0.01f, 1.0f);
  def.relaxation = random_float(random, 0.0f, 1.0f);
  def.shear_relaxation = random_float(random, 0.0f, 1.0f);
  def.bend_relaxation = random_float(random, 0.0f, 1.0f);
  const float angle = random_float(random, 0.3f, 2.8f);
  for (int axis = 0; axis < 3; ++axis) def.origin[axis] = random_float(random, -1.0f, 1.0f);
  def.down[0] = cosf(angle);
  def.down[1] = sinf(angle);
  return def;
}

RANDOM_TEST(particles_lie_on_the_lattice, 50) {
  const weft_sheet_def def = draw_sheet(&random);
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  scene_snapshot snapshot = take_snapshot(scene);
  for (uint32_t i = 0; i < def.columns * def.rows; ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const double across = (double)(i % def.columns) * def.spacing * def.across[axis];
      const double down = (double)(i / def.columns) * def.spacing * def.down[axis];
      require(fabs(def.origin[axis] + across + down - snapshot.positions[3 * i + axis]) < 1e-5);
    }
    require(snapshot.inverse_masses[i] == 1.0f / def.particle_mass);
  }
}

static double distance_of(const scene_snapshot* snapshot, weft_link_def link) {
  double squared = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double difference = (double)snapshot->positions[3 * link.b + axis] -
                              (double)snapshot->positions[3 * link.a + axis];
    squared += difference * difference;
  }
  return sqrt(squared);
}

// link family, from the lattice offset between its two ends
static weft_link_kind kind_of(const weft_sheet_def* def, weft_link_def link) {
  const int across = abs((int)(link.b % def->columns) - (int)(link.a % def->columns));
  const int down = abs((int)(link.b / def->columns) - (int)(link.a / def->columns));
  require((across <= 1 && down <= 1) || across + down == 2);
  if (across == 2 || down == 2) return WEFT_LINK_BEND;
  return across + down == 2 ? WEFT_LINK_SHEAR : WEFT_LINK_STRUCTURAL;
}

RANDOM_TEST(links_join_each_pair_of_neighbours_once_at_the_distance_that_they_have, 50) {
  const weft_sheet_def def = draw_sheet(&random);
  const float relaxation[] = {def.relaxation, def.shear_relaxation, def.bend_relaxation};
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  scene_snapshot snapshot = take_snapshot(scene);
  static bool linked[400][400];
  memset(linked, 0, sizeof(linked));
  for (uint32_t i = 0; i < snapshot.link_count; ++i) {
    const weft_link_def link = snapshot.links[i];
    require(!linked[link.a][link.b]);
    linked[link.a][link.b] = linked[link.b][link.a] = true;
    require(link.kind == kind_of(&def, link));
    require(link.relaxation == relaxation[link.kind]);
    require(fabs(link.rest_length - distance_of(&snapshot, link)) < 1e-5);
  }
}

TEST(tear_ratio_goes_to_every_link) {
  weft_scene* scene = new_cloth_scene(.tear_ratio = 1.5f);
  scene_snapshot snapshot = take_snapshot(scene);
  for (uint32_t i = 0; i < snapshot.link_count; ++i) {
    require(snapshot.links[i].tear_ratio == 1.5f);
  }
}
