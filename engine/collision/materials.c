#include "collision/materials.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

void weft__pair_rule_reset(weft__pair_rule* between, weft_friction_rule rule) {
  between->rule = rule;
  for (uint32_t i = 0; i < WEFT_MAX_MATERIALS * WEFT_MAX_MATERIALS; ++i) {
    between->pairs[i / WEFT_MAX_MATERIALS][i % WEFT_MAX_MATERIALS].static_friction = -1.0f;
  }
}

enum { PARTICLES = WEFT__GROUP(1) };

static const weft__column columns[] = {
    WEFT__MEMBER(weft__materials, row_count),
    WEFT__MEMBER(weft__materials, on),
    WEFT__MEMBER(weft__materials, version),
    WEFT__MEMBER(weft__materials, first_free),
    WEFT__MEMBER(weft__materials, shape_count),
    WEFT__MEMBER(weft__materials, exact_count),
    WEFT__MEMBER(weft__materials, turning_count),
    WEFT__MEMBER(weft__materials, max_cloth_radius),
    WEFT__MEMBER(weft__materials, between),
    WEFT__LIST(weft__materials, rows, row_count, row_capacity, WEFT__STATE),
    WEFT__LIST(weft__materials, uses, row_count, row_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__materials, of, particle_count, PARTICLES | WEFT__STATE),
    WEFT__COLUMN(weft__materials, slots, slot_count, WEFT__DERIVED),
};

static void list_slots(void* table);

const weft__table weft__materials_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = list_slots};

// Words that rows are compared by.
enum { KEY_WORDS = 12 };

static void write_key(const weft__material* material, uint32_t key[KEY_WORDS]) {
  const weft__surface* surface = &material->surface;
  const float numbers[6] = {material->half_size[0],   material->half_size[1],
                            material->half_size[2],   surface->restitution,
                            surface->static_friction, surface->dynamic_friction};
  memcpy(key, numbers, sizeof(numbers));
  key[6] = (uint32_t)material->shape;
  key[7] = (material->is_exact ? 1u : 0u) | (material->turns ? 2u : 0u);
  key[8] = surface->category;
  key[9] = surface->mask;
  key[10] = surface->material;
  key[11] = surface->environment;
}

static bool are_equal(const weft__material* a, const weft__material* b) {
  uint32_t key_a[KEY_WORDS];
  uint32_t key_b[KEY_WORDS];
  write_key(a, key_a);
  write_key(b, key_b);
  return memcmp(key_a, key_b, sizeof(key_a)) == 0;
}

static uint32_t home_slot_of(const weft__materials* materials, const weft__material* material) {
  uint32_t key[KEY_WORDS];
  write_key(material, key);
  uint64_t hash = 0;
  for (int i = 0; i < KEY_WORDS; ++i) hash = weft__mix64((hash + WEFT__SPLITMIX_STEP) ^ key[i]);
  return (uint32_t)hash & (materials->slot_count - 1);
}

static uint32_t find_slot(const weft__materials* materials, const weft__material* material) {
  const uint32_t last = materials->slot_count - 1;
  uint32_t slot = home_slot_of(materials, material);
  while (materials->slots[slot] != 0 &&
         !are_equal(&materials->rows[materials->slots[slot]], material)) {
    slot = (slot + 1) & last;
  }
  return slot;
}

static void list_slots(void* table) {
  const weft__materials* materials = table;
  if (materials->slots == NULL) return;
  memset(materials->slots, 0, materials->slot_count * sizeof(*materials->slots));
  for (uint32_t row = 1; row < materials->row_count; ++row) {
    if (materials->uses[row].count == 0) continue;
    materials->slots[find_slot(materials, &materials->rows[row])] = row;
  }
}

// Linear probing: later entries move up, but not before their home. (Knuth, TAOCP vol. 3, section
// 6.4, algorithm R)
static void erase_slot(weft__materials* materials, uint32_t slot) {
  const uint32_t last = materials->slot_count - 1;
  uint32_t hole = slot;
  for (uint32_t next = (hole + 1) & last; materials->slots[next] != 0; next = (next + 1) & last) {
    const uint32_t home = home_slot_of(materials, &materials->rows[materials->slots[next]]);
    // distances to the home slot, modulo the table
    if (((next - home) & last) < ((next - hole) & last)) continue;
    materials->slots[hole] = materials->slots[next];
    hole = next;
  }
  materials->slots[hole] = 0;
}

static bool grow_slots(weft__materials* materials, uint32_t slot_count) {
  if (slot_count <= materials->slot_count) return true;
  uint32_t* slots = weft__alloc_zeroed(slot_count, sizeof(*slots));
  if (slots == NULL) return false;
  materials->bytes += (slot_count - materials->slot_count) * sizeof(*slots);
  weft__free(materials->slots);
  materials->slots = slots;
  materials->slot_count = slot_count;
  list_slots(materials);
  return true;
}

static bool grow_rows(weft__materials* materials, uint32_t capacity) {
  const uint32_t count = materials->row_capacity;
  if (!weft__resize((void**)&materials->rows, count, capacity, sizeof(*materials->rows)) ||
      !weft__resize((void**)&materials->uses, count, capacity, sizeof(*materials->uses))) {
    return false;
  }
  materials->bytes += (capacity - count) * (sizeof(*materials->rows) + sizeof(*materials->uses));
  materials->row_capacity = capacity;
  return true;
}

// Slots stay at most half full.
static bool reserve_rows(weft__materials* materials, uint32_t count) {
  if (count == 1 && materials->first_free != 0) return true;
  uint32_t capacity = materials->row_capacity == 0 ? 16 : materials->row_capacity;
  while (capacity - materials->row_count < count) capacity *= 2;
  return capacity == materials->row_capacity ||
         (grow_slots(materials, 2 * capacity) && grow_rows(materials, capacity));
}

static bool ensure_storage(weft__materials* materials, uint32_t row_count) {
  // row 0 is one
  if (!reserve_rows(materials, row_count + (materials->row_count == 0)) ||
      !weft__columns_add(materials, &weft__materials_table, PARTICLES, &materials->bytes)) {
    return false;
  }
  if (materials->row_count == 0) {
    materials->rows[0] = (weft__material){0};
    materials->uses[0] = (weft__material_use){0};
    materials->row_count = 1;
  }
  return true;
}

static uint32_t allocate_row(weft__materials* materials) {
  const uint32_t row = materials->first_free;
  if (row == 0) return materials->row_count++;
  materials->first_free = materials->uses[row].next_free;
  return row;
}

static uint32_t find_or_add_row(weft__materials* materials, const weft__material* material) {
  const uint32_t slot = find_slot(materials, material);
  if (materials->slots[slot] != 0) return materials->slots[slot];
  const uint32_t row = allocate_row(materials);
  materials->rows[row] = *material;
  materials->uses[row] = (weft__material_use){0};
  materials->slots[slot] = row;
  const bool is_cloth = material->shape == WEFT_PARTICLE_SHAPE_CLOTH;
  if (is_cloth && material->half_size[0] > materials->max_cloth_radius) {
    materials->max_cloth_radius = material->half_size[0];
  }
  return row;
}

static void retain(weft__materials* materials, uint32_t row) {
  if (row != 0) ++materials->uses[row].count;
}

static void release(weft__materials* materials, uint32_t row) {
  if (row == 0 || --materials->uses[row].count > 0) return;
  erase_slot(materials, find_slot(materials, &materials->rows[row]));
  materials->rows[row] = (weft__material){0};
  materials->uses[row].next_free = materials->first_free;
  materials->first_free = row;
}

static void add_to_counts(weft__materials* materials, uint32_t row, uint32_t change) {
  if (row == 0) return;
  const weft__material* material = &materials->rows[row];
  materials->shape_count[material->shape] += change;
  if (material->is_exact) materials->exact_count += change;
  if (material->turns) materials->turning_count += change;
}

static void assign_row(weft__materials* materials, uint32_t particle, uint32_t row) {
  const uint32_t old = materials->of[particle];
  if (old == row) return;
  add_to_counts(materials, old, UINT32_MAX);
  add_to_counts(materials, row, 1);
  materials->of[particle] = row;
  retain(materials, row);
  release(materials, old);
}

typedef struct environment_runs {
  const uint32_t* environment_of;
  const uint32_t* solver_of;
  uint32_t end;
} environment_runs;

static uint32_t end_of_run(const environment_runs* runs, uint32_t begin) {
  const uint32_t* of = runs->environment_of;
  if (of == NULL) return runs->end;
  uint32_t end = begin + 1;
  while (end < runs->end && of[runs->solver_of[end]] == of[runs->solver_of[begin]]) ++end;
  return end;
}

// Material's row in the environment of a particle.
static uint32_t row_for(weft__materials* materials, uint32_t particle,
                        const weft__material* material) {
  if (material == NULL) return 0;
  weft__material own = *material;
  if (materials->environment_of != NULL) {
    own.surface.environment = materials->environment_of[particle];
  }
  return find_or_add_row(materials, &own);
}

bool weft__materials_set(weft__materials* materials, const uint32_t* solver_of, const bool* removed,
                         uint32_t first, uint32_t count, const weft__material* material) {
  if (count == 0 || (material == NULL && !materials->on)) return true;
  const environment_runs runs = {materials->environment_of, solver_of, first + count};
  uint32_t run_count = 0;
  for (uint32_t user = first; user < runs.end; user = end_of_run(&runs, user)) ++run_count;
  if (!ensure_storage(materials, run_count)) return false;
  for (uint32_t user = first, end; user < runs.end; user = end) {
    end = end_of_run(&runs, user);
    const uint32_t row = row_for(materials, solver_of[user], material);
    for (uint32_t own = user; own < end; ++own) {
      const bool is_removed = removed != NULL && removed[solver_of[own]];
      assign_row(materials, solver_of[own], is_removed ? 0 : row);
    }
  }
  materials->on = true;
  ++materials->version;
  return true;
}

bool weft__materials_save(weft__materials* materials, const uint32_t* solver_of, uint32_t first,
                          uint32_t count, weft__saved_materials* saved) {
  *saved = (weft__saved_materials){first, count, weft__alloc_zeroed(count, sizeof(uint32_t)),
                                   materials->on};
  if (saved->rows == NULL && count > 0) return false;
  if (!materials->on) return true;
  for (uint32_t i = 0; i < count; ++i) {
    saved->rows[i] = materials->of[solver_of[first + i]];
    retain(materials, saved->rows[i]);
  }
  return true;
}

void weft__materials_restore(weft__materials* materials, const uint32_t* solver_of,
                             const weft__saved_materials* saved) {
  if (materials->of == NULL) return;
  for (uint32_t i = 0; i < saved->count; ++i) {
    assign_row(materials, solver_of[saved->first + i], saved->rows[i]);
  }
  materials->on = saved->was_on;
  ++materials->version;
}

void weft__materials_release(weft__materials* materials, weft__saved_materials* saved) {
  for (uint32_t i = 0; i < saved->count; ++i) release(materials, saved->rows[i]);
  weft__free(saved->rows);
  *saved = (weft__saved_materials){0};
}

void weft__materials_destroy(weft__materials* materials) {
  weft__columns_free(materials, &weft__materials_table);
  *materials = (weft__materials){0};
}

// Tables of another memory, for `row_count` rows. False when out of memory, with nothing changed.
static bool replace_tables(weft__materials* materials, uint32_t row_count) {
  weft__materials made = *materials;
  made.rows = NULL;
  made.uses = NULL;
  made.slots = made.of = NULL;
  made.slot_count = made.row_capacity = made.row_count = 0;
  made.bytes = 0;
  uint32_t capacity = 16;
  while (capacity < row_count) capacity *= 2;
  if (!weft__columns_add(&made, &weft__materials_table, PARTICLES, &made.bytes) ||
      !grow_slots(&made, 2 * capacity) || !grow_rows(&made, capacity)) {
    weft__materials_destroy(&made);
    return false;
  }
  *materials = made;
  return true;
}

void weft__materials_visit(weft__materials* materials, weft__archive* archive) {
  uint32_t row_count = materials->row_count;
  WEFT__ARCHIVE_VALUE(archive, row_count);
  if (!weft__archive_can_hold(archive, row_count, sizeof(*materials->rows))) return;
  if (weft__archive_is_checking(archive) && row_count > materials->row_capacity &&
      !weft__archive_allocated(archive, replace_tables(materials, row_count))) {
    return;
  }
  weft__archive_table(archive, materials, &weft__materials_table);
}
