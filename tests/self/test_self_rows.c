/* Contact rows of cloth: against all pairs, and what may be solved at once. */
#include "collision/self/rows.h"
#include "support/cloths.h"
#include "support/test.h"

static weft_world* new_heap(random_source* random, uint32_t count, uint32_t workers) {
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, random, count, random_float(random, 0.1f, 0.6f));
  weft_world_def def = free_flight(1 + random_below(random, 3));
  def.worker_count = workers;
  weft_world* world = new_world(&def, scene);
  make_cloth(world, 0, count, random_float(random, 0.01f, 0.05f), 0.3f);
  weft_world_step(world, 1);
  return world;
}

// Finds the rows of the present records anew.
static const weft__self_contacts* find_rows(weft_world* world) {
  weft__step_context step = weft__stepper_context(&world->stepper);
  weft__self_find_rows(&world->stepper.contacts.cloth, &step);
  return &cloth_of(world)->contacts;
}

static bool touch(const weft__self* cloth, uint32_t a, uint32_t b) {
  const float *p = cloth->tiles.now + (size_t)a * 4, *q = cloth->tiles.now + (size_t)b * 4;
  const float reach = 1.05f * (p[3] + q[3]);
  const float x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return x * x + y * y + z * z < reach * reach;
}

static uint32_t rows_of(const weft__self_contacts* c, uint32_t a, uint32_t b) {
  uint32_t found = 0;
  for (uint32_t r = 0; r < c->count; ++r)
    found += (c->rows.a[r] == 2 * a && c->rows.b[r] == 2 * b) ||
             (c->rows.a[r] == 2 * b && c->rows.b[r] == 2 * a);
  return found;
}

RANDOM_TEST(each_near_pair_that_touches_has_one_row, ROUNDS(20, 8)) {
  const uint32_t count = random_from(&random, 2, 120);
  weft_world* world = new_heap(&random, count, 1 + random_below(&random, 3));
  const weft__self_contacts* c = find_rows(world);
  const weft__self* cloth = cloth_of(world);
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t k = 0; k < i; ++k) {
      const uint32_t a = cloth->place_of[i], b = cloth->place_of[k];
      const bool is_listed = weft__self_neighbors(cloth, i, k);
      ck_assert_uint_eq(rows_of(c, a, b), is_listed && touch(cloth, a, b));
    }
  }
}

// Marks the ends of rows [begin, end); none is marked twice.
static void expect_apart(const weft__self_contacts* c, uint32_t begin, uint32_t end,
                         uint32_t* marks, uint32_t mark) {
  for (uint32_t r = begin; r < end; ++r) {
    const uint32_t ends[2] = {c->rows.a[r] / 2, c->rows.b[r] / 2};
    for (int k = 0; k < 2; ++k) {
      require(marks[ends[k]] != mark);
      marks[ends[k]] = mark;
    }
  }
}

RANDOM_TEST(rows_that_are_solved_at_once_share_no_particle, ROUNDS(20, 8)) {
  const uint32_t count = random_from(&random, 100, 600);
  weft_world* world = new_heap(&random, count, 1 + random_below(&random, 3));
  const weft__self_contacts* c = find_rows(world);
  uint32_t* marks =
      test_alloc((size_t)cloth_of(world)->tiles.tile_count * WEFT__TILE * sizeof(*marks));
  uint32_t mark = 0, rows = 0;
  for (uint32_t k = 0; k < c->first_chunk[c->colour_count]; ++k) {
    uint32_t begin = 0;
    for (uint32_t layer = 0; layer < c->chunks[k].layer_count; ++layer) {
      const uint32_t end = c->chunks[k].layer_end[layer];
      expect_apart(c, c->chunks[k].first_row + begin, c->chunks[k].first_row + end, marks, ++mark);
      begin = end;
    }
    rows += begin;
  }
  ck_assert_uint_eq(rows, c->count);
}

RANDOM_TEST(chunks_of_a_colour_share_no_tile, ROUNDS(20, 8)) {
  weft_world* world = new_heap(&random, random_from(&random, 300, 900), 2);
  const weft__self_contacts* c = find_rows(world);
  const uint32_t tiles = cloth_of(world)->tiles.tile_count;
  uint32_t* chunk_of = test_alloc(tiles * sizeof(*chunk_of));
  for (uint32_t colour = 0; colour + 1 < c->colour_count; ++colour) {
    for (uint32_t t = 0; t < tiles; ++t) chunk_of[t] = WEFT__NONE;
    for (uint32_t k = c->first_chunk[colour]; k < c->first_chunk[colour + 1]; ++k) {
      const weft__row_chunk* chunk = &c->chunks[k];
      for (uint32_t b = chunk->first_block; b < chunk->first_block + chunk->block_count; ++b) {
        const uint32_t tile = c->order[b] / WEFT__TILE_BLOCKS;
        const uint32_t other = c->blocks[c->order[b]].other;
        require(chunk_of[tile] == WEFT__NONE && chunk_of[other] == WEFT__NONE);
        chunk_of[tile] = chunk_of[other] = k;
      }
    }
  }
}
