/* Random link graphs and lattices, frozen: an oracle that knows only the scene checks the promises
 * of the headers on schedules and coarse levels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "fuzz/stream.h"
#include "scene/scene.h"
#include "solvers/multigrid/coarsen.h"
#include "solvers/multigrid/transfer.h"
#include "step/stage.h"

#define REQUIRE(holds)                                                \
  do {                                                                \
    if (holds) break;                                                 \
    fprintf(stderr, "fuzz: line %d: not so: %s\n", __LINE__, #holds); \
    abort();                                                          \
  } while (0)

static void* zeroed(size_t count, size_t size) {
  void* memory = calloc(count + 1, size);
  REQUIRE(memory != NULL);
  return memory;
}

// ---- the scene ----

static void add_lattice(weft_scene* scene, input_stream* in) {
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = 1 + stream_below(in, 14);
  def.rows = 1 + stream_below(in, 14);
  def.structural = !stream_chance(in, 4);
  def.shear = stream_chance(in, 2);
  def.bend = stream_chance(in, 2);
  const weft_material_def material = weft_default_material_def();
  if (stream_chance(in, 2)) def.material = &material;
  REQUIRE(weft_scene_add_sheet(scene, &def, NULL).error == WEFT_OK);
}

static void add_cloud(weft_scene* scene, input_stream* in) {
  float positions[3 * 64];
  float masses[64];
  const uint32_t count = 1 + stream_below(in, 64);
  for (uint32_t i = 0; i < 3 * count; ++i) positions[i] = stream_float(in, -1.0f, 1.0f);
  for (uint32_t i = 0; i < count; ++i) masses[i] = stream_chance(in, 8) ? 0.0f : 1.0f;
  REQUIRE(weft_scene_add_particles(scene, positions, masses, count, NULL).error == WEFT_OK);
}

static void add_link(weft_scene* scene, uint32_t a, uint32_t b, input_stream* in) {
  const uint32_t look = stream_byte(in);
  const weft_link_def link = {.a = a,
                              .b = b,
                              .rest_length = 0.1f + (float)(look % 3),
                              .relaxation = look / 3 % 4 == 0 ? 0.5f : 1.0f,
                              .kind = (weft_link_kind)(look / 12 % 4),
                              .compliance = look / 48 % 2 == 0 ? 0.0f : 1e-4f,
                              .tear_ratio = look / 96 == 1 ? 1.5f : 0.0f};
  // pairs that are already linked and equal ends are refused
  (void)weft_scene_add_links(scene, &link, 1, NULL);
}

// pairs, a chain, or a hub with its spokes
static void add_graph(weft_scene* scene, input_stream* in) {
  const uint32_t particles = weft_scene_particle_count(scene);
  if (particles < 2) return;
  const uint32_t kind = stream_below(in, 3);
  const uint32_t count = 1 + stream_below(in, 80);
  const uint32_t first = stream_below(in, particles);
  for (uint32_t i = 0; i < count; ++i) {
    if (kind == 0) add_link(scene, stream_below(in, particles), stream_below(in, particles), in);
    if (kind == 1) add_link(scene, (first + i) % particles, (first + i + 1) % particles, in);
    if (kind == 2) add_link(scene, first, (first + i + 1) % particles, in);
  }
}

static void pin(weft_scene* scene, input_stream* in) {
  const uint32_t particles = weft_scene_particle_count(scene);
  if (particles > 0) (void)weft_scene_pin(scene, stream_below(in, particles), 1);
}

static weft_scene* new_scene_of(input_stream* in) {
  weft_scene* scene = NULL;
  REQUIRE(weft_scene_create(&scene).error == WEFT_OK);
  while (!stream_is_empty(in) && weft_scene_particle_count(scene) < 300) {
    const uint32_t kind = stream_below(in, 8);
    if (kind < 2) add_lattice(scene, in);
    if (kind == 2) add_cloud(scene, in);
    if (kind > 2 && kind < 7) add_graph(scene, in);
    if (kind == 7) pin(scene, in);
  }
  return scene;
}

// ---- the schedule ----

// numbers of solver and caller are inverse permutations, and patches partition the particles
static void check_numbers(const weft__schedule* s) {
  for (uint32_t i = 0; i < s->particle_count; ++i) {
    REQUIRE(s->user_of[i] < s->particle_count && s->solver_of[s->user_of[i]] == i);
  }
  REQUIRE(s->patch_first[0] == 0 && s->patch_first[s->patch_count] == s->particle_count);
  for (uint32_t p = 0; p < s->patch_count; ++p) {
    REQUIRE(s->patch_first[p] < s->patch_first[p + 1]);
    REQUIRE(s->patch_color[p] < s->color_count);
  }
}

// each link has a lane of its own, with its ends and parameters, in the patch of its lower end
static void check_links(const weft__schedule* s, const weft_scene* scene) {
  bool* taken = zeroed((size_t)s->links.group_count * WEFT__LANES, sizeof(bool));
  uint32_t* held = zeroed(s->links.group_count, sizeof(uint32_t));
  for (uint32_t i = 0; i < s->links.link_count; ++i) {
    const weft_link_def link = weft__links_get(&scene->links, i);
    const uint32_t slot = s->links.slot_of_link[i];
    REQUIRE(slot / WEFT__LANES < s->links.group_count && !taken[slot]);
    taken[slot] = true;
    ++held[slot / WEFT__LANES];
    const weft__lane lane = weft__schedule_lane(s, slot);
    const uint32_t a = s->user_of[lane.a], b = s->user_of[lane.b];
    REQUIRE((a == link.a && b == link.b) || (a == link.b && b == link.a));
    REQUIRE(((uint32_t)s->links.lane_mask[slot / WEFT__LANES] & lane.bit) != 0);
    const uint32_t lower = lane.a < lane.b ? lane.a : lane.b;
    REQUIRE(s->patch_first[lane.patch] <= lower && lower < s->patch_first[lane.patch + 1]);
    const size_t offset = (size_t)(lane.group - lane.run->first_group);
    const uint32_t l = slot % WEFT__LANES;
    REQUIRE(s->links.rest_length[lane.run->rest + offset * lane.run->rest_stride + l] ==
            link.rest_length);
    REQUIRE(s->links.relaxation[lane.run->relaxation + offset * lane.run->relaxation_stride + l] ==
            link.relaxation);
  }
  for (uint32_t g = 0; g < s->links.group_count; ++g) {
    REQUIRE((uint32_t)__builtin_popcount(s->links.lane_mask[g]) == held[g]);
  }
  free(taken);
  free(held);
}

// links of a batch share no particle
static void check_batches(const weft__schedule* s) {
  uint32_t* batch_of = zeroed(s->links.group_count, sizeof(uint32_t));
  uint32_t* seen = zeroed((size_t)s->particle_count, sizeof(uint32_t));
  for (uint32_t batch = 0; batch < s->batch_count; ++batch) {
    for (uint32_t r = s->batch_first_run[batch]; r < s->batch_first_run[batch + 1]; ++r) {
      for (uint32_t g = 0; g < s->runs[r].group_count; ++g) {
        batch_of[s->runs[r].first_group + g] = batch;
      }
    }
  }
  for (uint32_t slot = 0; slot < s->links.group_count * WEFT__LANES; ++slot) {
    if (!weft__is_marked(s->links.lane_mask, slot)) continue;
    const weft__lane lane = weft__schedule_lane(s, slot);
    const uint32_t mark = batch_of[lane.group] + 1;
    REQUIRE(seen[lane.a] != mark && seen[lane.b] != mark && lane.a != lane.b);
    seen[lane.a] = seen[lane.b] = mark;
  }
  free(batch_of);
  free(seen);
}

static bool are_neighbors(const weft__schedule* s, uint32_t patch, uint32_t other) {
  for (uint32_t i = s->patch_first_neighbor[patch]; i < s->patch_first_neighbor[patch + 1]; ++i) {
    if (s->neighbors[i] == other) return true;
  }
  return false;
}

// patches that share a particle are neighbours and have different colours
static void check_colors(const weft__schedule* s) {
  bool* touched = zeroed((size_t)s->patch_count * s->particle_count, sizeof(bool));
  uint32_t* patches = zeroed(s->patch_count, sizeof(uint32_t));
  for (uint32_t p = 0; p < s->patch_count; ++p) {
    for (uint32_t i = s->patch_first[p]; i < s->patch_first[p + 1]; ++i) {
      touched[(size_t)i * s->patch_count + p] = true;
    }
  }
  for (uint32_t i = 0; i < s->links.link_count; ++i) {
    const weft__lane lane = weft__schedule_lane(s, s->links.slot_of_link[i]);
    touched[(size_t)lane.a * s->patch_count + lane.patch] = true;
    touched[(size_t)lane.b * s->patch_count + lane.patch] = true;
  }
  for (uint32_t i = 0; i < s->particle_count; ++i) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < s->patch_count; ++p) {
      if (!touched[(size_t)i * s->patch_count + p]) continue;
      for (uint32_t k = 0; k < count; ++k) {
        REQUIRE(s->patch_color[p] != s->patch_color[patches[k]]);
        REQUIRE(are_neighbors(s, p, patches[k]) && are_neighbors(s, patches[k], p));
      }
      patches[count++] = p;
    }
  }
  free(touched);
  free(patches);
}

// ---- coarse levels ----

// masses of a level are valid, its links have a positive length, and it is smaller than the finer
// one
static void check_levels(const weft_scene* scene, const weft__schedule* cloth) {
  weft__levels levels;
  weft__particles particles;
  REQUIRE(weft__particles_create(&particles, scene->particle_count));
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    particles.inv_mass[cloth->solver_of[i]] = scene->inverse_masses[i];
  }
  REQUIRE(weft__levels_create(&levels, scene, cloth));
  weft__levels_set_masses(&levels, &particles);
  uint32_t finer = scene->particle_count;
  for (uint32_t l = 0; l < levels.count; ++l) {
    const weft__level* level = &levels.levels[l];
    const weft__schedule* s = &level->schedule;
    REQUIRE(s->particle_count < finer && level->particles.count == s->particle_count);
    finer = s->particle_count;
    check_numbers(s);
    check_batches(s);
    check_colors(s);
    for (uint32_t i = 0; i < s->particle_count; ++i) {
      const float inverse = level->particles.inv_mass[i];
      REQUIRE(isfinite(inverse) && inverse >= 0.0f && level->source[i] < scene->particle_count);
    }
    for (uint32_t i = 0; i < s->links.link_count; ++i) {
      const weft__lane lane = weft__schedule_lane(s, s->links.slot_of_link[i]);
      const size_t offset = (size_t)(lane.group - lane.run->first_group);
      const float rest = s->links.rest_length[lane.run->rest + offset * lane.run->rest_stride +
                                              s->links.slot_of_link[i] % WEFT__LANES];
      REQUIRE(isfinite(rest) && rest > 0.0f);
    }
  }
  weft__levels_destroy(&levels);
  weft__particles_destroy(&particles);
}

// Without pins, the mass of a level equals the mass of the particles interpolated from it.
static void check_mass(const weft_scene* scene, const weft__coarsening* made,
                       const weft__schedule* cloth) {
  weft__levels levels;
  weft__particles particles;
  double fine = 0.0, coarse = 0.0;
  REQUIRE(weft__particles_create(&particles, scene->particle_count));
  REQUIRE(weft__levels_create(&levels, scene, cloth));
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    // unequal masses of neighbours, 1 to 7 kilograms
    particles.inv_mass[cloth->solver_of[i]] = 1.0f / (1.0f + (float)(i % 7));
    for (uint32_t k = 0; k < WEFT__PARENTS; ++k) {
      fine += (double)made->parents[i].weight[k] * (1.0 + i % 7);
    }
  }
  weft__levels_set_masses(&levels, &particles);
  if (levels.count > 0) {
    const weft__particles* level = &levels.levels[0].particles;
    for (uint32_t i = 0; i < level->count; ++i) {
      if (level->inv_mass[i] > 0.0f) coarse += 1.0 / (double)level->inv_mass[i];
    }
    REQUIRE(fabs(coarse - fine) <= 1e-4 * fine);
  }
  weft__levels_destroy(&levels);
  weft__particles_destroy(&particles);
}

// interpolation weights are not negative and sum to one, or are all zero
static void check_parents(const weft_scene* scene, const weft__schedule* cloth) {
  weft__distances distances;
  weft__coarsening made;
  uint32_t* cloth_of = zeroed(scene->particle_count, sizeof(uint32_t));
  for (uint32_t i = 0; i < scene->particle_count; ++i) cloth_of[i] = i;
  REQUIRE(weft__distances_create(&distances, scene));
  REQUIRE(weft__coarsen(&made, scene, cloth_of, &distances));
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    const weft__parents* parents = &made.parents[i];
    float sum = 0.0f;
    for (uint32_t k = 0; k < WEFT__PARENTS; ++k) {
      REQUIRE(parents->weight[k] >= 0.0f && parents->weight[k] <= 1.0f);
      REQUIRE(parents->weight[k] == 0.0f || parents->of[k] < made.scene->particle_count);
      sum += parents->weight[k];
    }
    REQUIRE(sum == 0.0f || fabsf(sum - 1.0f) < 1e-5f);
  }
  check_mass(scene, &made, cloth);
  weft__coarsening_destroy(&made);
  weft__distances_destroy(&distances);
  free(cloth_of);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  input_stream in = stream_of(data, size);
  weft_scene* scene = new_scene_of(&in);
  if (weft_scene_particle_count(scene) > 0) {
    weft__schedule schedule;
    weft__stage_states stages;
    REQUIRE(weft__stages_allocate(&stages));
    REQUIRE(weft__stages_freeze(&stages, &schedule, scene));
    REQUIRE(schedule.links.link_count == weft_scene_link_count(scene));
    check_numbers(&schedule);
    check_links(&schedule, scene);
    check_batches(&schedule);
    check_colors(&schedule);
    check_levels(scene, &schedule);
    check_parents(scene, &schedule);
    weft__schedule_destroy(&schedule);
    weft__stages_destroy(&stages);
  }
  weft_scene_destroy(&scene);
  return 0;
}
