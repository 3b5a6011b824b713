// weft for C++17: handles that own their objects, errors as exceptions, spans without copies.
// Header only and optional; everything is done by the C calls of <weft/weft.h>.
//
//   weft::scene scene;
//   weft_sheet_def sheet = weft_default_sheet_def();
//   const weft_body cloth = scene.add(sheet);
//   scene.pin(cloth.first_particle, sheet.columns);
//   weft::world world(weft_default_world_def(), scene);
//   world.step(60);
//   const weft::view view = world.view();
//   float height = view.position[1][view.index_of[cloth.first_particle]];
//
// Errors are exceptions, as a constructor has no other way to fail; std::error_code has no room for
// the field and the element at fault, which weft::error carries. Calls that cannot fail are
// noexcept. Without exceptions use <weft/weft.h>.
//
// Calls that have no method here: world.call(weft_world_set_gravity, gravity).
#ifndef WEFT_WEFT_HPP
#define WEFT_WEFT_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/weft.h"

namespace weft {

// ---- errors ----

// Failed call: its what() is "weft_sheet_def.spacing [0]: not a finite number".
class error : public std::runtime_error {
 public:
  explicit error(const weft_result& result)
      : std::runtime_error(std::string(result.field) + " [" + std::to_string(result.index) +
                           "]: " + weft_error_text(result.error)),
        result_(result) {}

  weft_error code() const noexcept { return result_.error; }
  const char* field() const noexcept { return result_.field; }
  std::uint64_t index() const noexcept { return result_.index; }

 private:
  weft_result result_;
};

// Throws weft::error unless a call succeeded.
inline void check(const weft_result& result) {
  if (result.error != WEFT_OK) throw error(result);
}

// ---- spans ----

// Elements in memory that another object owns.
template <class T>
class span {
 public:
  constexpr span() noexcept = default;
  constexpr span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  // any container with data() and size() of the same elements
  template <class C, class = std::enable_if_t<
                         std::is_convertible_v<decltype(std::declval<C&>().data()), T*>>>
  constexpr span(C&& container) noexcept : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T& operator[](std::size_t i) const noexcept { return data_[i]; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Number of particles, links or colliders in a span of `floats` values each; throws where it is not
// whole.
template <class T>
std::uint32_t count_of(span<T> values, std::size_t floats) {
  if (values.size() % floats != 0 || values.size() / floats > UINT32_MAX)
    throw error({WEFT_ERROR_RANGE, "span", values.size()});
  return static_cast<std::uint32_t>(values.size() / floats);
}

// Columns of a world, as in weft_view: valid until the world is reset, moved to or destroyed.
struct view {
  span<const std::uint32_t> index_of, number_of;
  span<const float> position[3], previous[3], carried[3];
  span<const float> velocity[3], velocity_lag[3];  // empty where the world does not store them
  span<const float> inverse_mass;
  float previous_rate;
};

// ---- scene ----

class scene {
 public:
  scene() { check(weft_scene_create(&scene_)); }
  ~scene() { weft_scene_destroy(&scene_); }
  scene(scene&& other) noexcept : scene_(std::exchange(other.scene_, nullptr)) {}
  scene& operator=(scene&& other) noexcept {
    std::swap(scene_, other.scene_);
    return *this;
  }
  scene(const scene&) = delete;
  scene& operator=(const scene&) = delete;

  weft_scene* get() const noexcept { return scene_; }

  weft_body add(const weft_sheet_def& def) { return add_by(weft_scene_add_sheet, &def); }
  weft_body add(const weft_mesh_def& def) { return add_by(weft_scene_add_mesh, &def); }
  weft_body add(const weft_rope_def& def) { return add_by(weft_scene_add_rope, &def); }
  weft_body add(const weft_rod_def& def) { return add_by(weft_scene_add_rod, &def); }
  weft_body add(const weft_ragdoll_def& def) { return add_by(weft_scene_add_ragdoll, &def); }
  // positions [n][3] in metres, inverse masses [n] in 1/kg
  weft_body add_particles(span<const float> positions, span<const float> inverse_masses) {
    const std::uint32_t count = count_of(inverse_masses, 1);
    if (positions.size() != 3 * inverse_masses.size())
      throw error({WEFT_ERROR_RANGE, "positions", positions.size()});
    return add_by(weft_scene_add_particles, positions.data(), inverse_masses.data(), count);
  }
  weft_body add_links(span<const weft_link_def> links) {
    return add_by(weft_scene_add_links, links.data(), count_of(links, 1));
  }
  void pin(std::uint32_t first, std::uint32_t count = 1) {
    check(weft_scene_pin(scene_, weft_range(first, count)));
  }

  // Any call on a scene: call(weft_scene_set_pressure, &body, 100.0f).
  template <class F, class... Arguments>
  void call(F function, Arguments&&... arguments) {
    check(function(scene_, std::forward<Arguments>(arguments)...));
  }

 private:
  template <class F, class... Arguments>
  weft_body add_by(F function, Arguments... arguments) {
    weft_body body{};
    check(function(scene_, arguments..., &body));
    return body;
  }

  weft_scene* scene_ = nullptr;
};

// ---- world ----

// Particles of a body.
inline weft_selection range_of(const weft_body& body) noexcept {
  return weft_range(body.first_particle, body.particle_count);
}

class world {
 public:
  world(const weft_world_def& def, const scene& from) {
    check(weft_world_create(&def, from.get(), &world_));
  }
  ~world() { weft_world_destroy(&world_); }
  world(world&& other) noexcept : world_(std::exchange(other.world_, nullptr)) {}
  world& operator=(world&& other) noexcept {
    std::swap(world_, other.world_);
    return *this;
  }
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  weft_world* get() const noexcept { return world_; }

  void step(std::uint32_t count = 1) noexcept { weft_world_step(world_, count); }
  weft_advance advance(std::int64_t elapsed_ns) {
    weft_advance advanced{};
    check(weft_world_advance(world_, elapsed_ns, &advanced));
    return advanced;
  }
  std::uint64_t hash() const noexcept { return weft_world_hash(world_); }

  weft_world_stats stats() const { return read_by<weft_world_stats>(weft_world_get_stats); }
  weft_measures measure() const { return read_by<weft_measures>(weft_world_measure); }

  // Any call on a world: call(weft_world_set_gravity, gravity).
  template <class F, class... Arguments>
  void call(F function, Arguments&&... arguments) const {
    check(function(world_, std::forward<Arguments>(arguments)...));
  }

  // ---- attributes: see weft/attributes.h ----

  // Element n of the values belongs to element n of the selection. Stride in bytes: 0 = packed,
  // WEFT_SAME = one element for all.
  void get(weft_attribute attribute, weft_selection selection, void* values,
           std::size_t stride = 0) const {
    check(weft_world_get(world_, attribute, selection, values, stride));
  }
  void set(weft_attribute attribute, weft_selection selection, const void* values,
           std::size_t stride = 0) {
    check(weft_world_set(world_, attribute, selection, values, stride));
  }
  void add(weft_attribute attribute, weft_selection selection, const void* values,
           std::size_t stride = 0) {
    check(weft_world_add(world_, attribute, selection, values, stride));
  }

  void read(const weft_vertices_def& def) const { check(weft_world_read_vertices(world_, &def)); }

  // Copies attributes of the particles of a body into the caller's arrays.
  void read(const weft_body& body, std::initializer_list<weft_attribute_array> arrays,
            float interpolation = 1.0f) const {
    weft_vertices_def def = weft_default_vertices_def();
    def.selection = range_of(body);
    def.arrays = arrays.begin();
    def.array_count = static_cast<std::uint32_t>(arrays.size());
    def.interpolation = interpolation;
    read(def);
  }

  // Columns in place.
  weft::view view() const {
    weft_view columns{};
    check(weft_world_get_view(world_, &columns));
    const std::size_t count = columns.particle_count;
    weft::view spans{};
    spans.index_of = {columns.index_of, count};
    spans.number_of = {columns.number_of, count};
    spans.inverse_mass = {columns.inverse_mass, count};
    spans.previous_rate = columns.previous_rate;
    const std::size_t stored = columns.velocity[0] != nullptr ? count : 0;
    for (int axis = 0; axis < 3; ++axis) {
      spans.position[axis] = {columns.position[axis], count};
      spans.previous[axis] = {columns.previous[axis], count};
      spans.carried[axis] = {columns.carried[axis], count};
      spans.velocity[axis] = {columns.velocity[axis], stored};
      spans.velocity_lag[axis] = {columns.velocity_lag[axis], stored};
    }
    return spans;
  }

  // ---- colliders ----

  weft_collider add(const weft_collider_def& def) {
    weft_collider collider{};
    check(weft_world_add_collider(world_, &def, &collider));
    return collider;
  }
  void remove(weft_collider collider) { check(weft_world_remove_collider(world_, collider)); }
  // `rotation` may be nullptr: unchanged
  void move(weft_collider collider, const float* position, const float* rotation = nullptr) {
    check(weft_world_move_collider(world_, collider, position, rotation));
  }
  weft_collider_load load_of(weft_collider collider) const {
    weft_collider_load load{};
    check(weft_world_get_collider_loads(world_, &collider, 1, &load));
    return load;
  }

  // ---- joints ----

  weft_joint add(const weft_joint_def& def) {
    weft_joint joint{};
    check(weft_world_add_joint(world_, &def, &joint));
    return joint;
  }
  void remove(weft_joint joint) { check(weft_world_remove_joint(world_, joint)); }

 private:
  template <class T, class F>
  T read_by(F function) const {
    T value{};
    check(function(world_, &value));
    return value;
  }

  weft_world* world_ = nullptr;
};

}  // namespace weft

#endif
