// weft.hpp: the world of the C calls, errors with their field, ownership, spans.
#include <weft/weft.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

static_assert(!std::is_copy_constructible_v<weft::scene>);
static_assert(!std::is_copy_constructible_v<weft::world>);
static_assert(std::is_nothrow_move_constructible_v<weft::world>);
static_assert(std::is_nothrow_move_assignable_v<weft::scene>);

static int failures = 0;

static void expect(bool condition, const char* text, int line) {
  if (condition) return;
  std::fprintf(stderr, "line %d: not so: %s\n", line, text);
  ++failures;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

static weft::world make_world(bool loads = false) {
  weft::scene scene;
  weft_sheet_def sheet = weft_default_sheet_def();
  const weft_body cloth = scene.add(sheet);
  scene.pin(cloth.first_particle, sheet.columns);
  weft_world_def def = weft_default_world_def();
  def.loads = loads;
  return weft::world(def, scene);
}

// The same scene by the C calls.
static std::uint64_t hash_in_c() {
  weft_scene* scene = nullptr;
  weft_world* world = nullptr;
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_world_def def = weft_default_world_def();
  weft::check(weft_scene_create(&scene));
  weft::check(weft_scene_add_sheet(scene, &sheet, nullptr));
  weft::check(weft_scene_pin(scene, weft_range(0, sheet.columns)));
  weft::check(weft_world_create(&def, scene, &world));
  weft_world_step(world, 10);
  const std::uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
  return hash;
}

static void moves_keep_the_world() {
  weft::world world = make_world();
  world.step(5);
  weft::world moved(std::move(world));
  weft::world other = make_world();
  other = std::move(moved);
  other.step(5);
  EXPECT(other.hash() == hash_in_c());
  EXPECT(other.stats().step_count == 10);
  EXPECT(other.measure().mass > 0.9);
}

static void errors_name_the_field() {
  weft::scene scene;
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.spacing = -1.0f;
  try {
    scene.add(sheet);
    EXPECT(!"refused");
  } catch (const weft::error& e) {
    EXPECT(e.code() == WEFT_ERROR_RANGE);
    EXPECT(std::strcmp(e.field(), "weft_sheet_def.spacing") == 0);
    EXPECT(std::strstr(e.what(), "weft_sheet_def.spacing [0]: ") == e.what());
  }
  try {
    const std::vector<float> positions(5), inverse_masses(2);
    scene.add_particles(positions, inverse_masses);
    EXPECT(!"refused");
  } catch (const weft::error& e) {
    EXPECT(e.index() == 5);
  }
  try {
    weft::world world(weft_default_world_def(), weft::scene());
    EXPECT(!"refused");
  } catch (const weft::error& e) {
    EXPECT(e.code() == WEFT_ERROR_EMPTY);
  }
}

static void spans_are_the_columns() {
  weft::world world = make_world();
  world.step(3);
  const weft::view view = world.view();
  weft_view columns;
  world.call(weft_world_get_view, &columns);
  EXPECT(view.position[1].data() == columns.position[1]);
  EXPECT(view.position[1].size() == 1024 && view.velocity[0].empty());
  std::vector<float> packed(3 * 1024);
  world.get(WEFT_ATTRIBUTE_POSITION, weft_range(0, 1024), packed.data());
  for (std::size_t number = 0; number < 1024; ++number) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (view.position[axis][view.index_of[number]] != packed[3 * number + axis]) ++failures;
    }
  }
}

struct vertex {
  float position[3], normal[3], uv[2];
};

static void bodies_are_read_into_vertices() {
  weft::world world = make_world();
  const weft_advance advanced = world.advance(20000000);
  std::vector<vertex> vertices(1024);
  const weft_body cloth = {0, 1024, 0, 0};
  world.read(cloth,
             {{WEFT_ATTRIBUTE_POSITION, vertices[0].position, sizeof(vertex)},
              {WEFT_ATTRIBUTE_NORMAL, vertices[0].normal, sizeof(vertex)}},
             advanced.interpolation);
  std::array<float, 3> corner{};
  world.read({1023, 1, 0, 0}, {{WEFT_ATTRIBUTE_POSITION, corner.data(), 0}},
             advanced.interpolation);
  EXPECT(std::memcmp(vertices[1023].position, corner.data(), sizeof(corner)) == 0);
  EXPECT(vertices[500].normal[2] > 0.99f);
}

static void attributes_are_set_and_added_to() {
  weft::world world = make_world();
  const weft_body cloth = {0, 1024, 0, 0};
  const std::uint32_t corners[2] = {1023, 992};
  const float up[3] = {0.0f, 1.0f, 0.0f};
  std::array<float, 6> velocities{};
  world.set(WEFT_ATTRIBUTE_VELOCITY, weft::range_of(cloth), up, WEFT_SAME);
  world.add(WEFT_ATTRIBUTE_VELOCITY, weft_list(corners, 2), up, WEFT_SAME);
  world.get(WEFT_ATTRIBUTE_VELOCITY, weft_list(corners, 2), velocities.data());
  EXPECT(velocities[1] > 1.99f && velocities[4] > 1.99f);
  try {
    world.set(WEFT_ATTRIBUTE_NORMAL, weft_range(0, 1), up);
    EXPECT(!"refused");
  } catch (const weft::error& e) {
    EXPECT(e.code() == WEFT_ERROR_RANGE && std::strcmp(e.field(), "attribute") == 0);
  }
}

static void colliders_and_joints_come_and_go() {
  weft::world world = make_world(true);
  weft_collider_def sphere = weft_default_collider_def();
  const weft_collider collider = world.add(sphere);
  const float position[3] = {0.0f, -5.0f, 0.0f};
  world.move(collider, position);
  weft_joint_def joint = weft_default_joint_def();
  joint.particle = 40;
  joint.to[0] = 80;
  const weft_joint weld = world.add(joint);
  world.step();
  EXPECT(world.load_of(collider).contact_count == 0);
  world.remove(weld);
  world.remove(collider);
  try {
    world.remove(collider);
    EXPECT(!"refused");
  } catch (const weft::error& e) {
    EXPECT(e.code() == WEFT_ERROR_STALE);
  }
}

int main() {
  moves_keep_the_world();
  errors_name_the_field();
  spans_are_the_columns();
  bodies_are_read_into_vertices();
  attributes_are_set_and_added_to();
  colliders_and_joints_come_and_go();
  return failures != 0;
}
