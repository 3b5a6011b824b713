/* Learning in many rooms: an arm of two bones learns to hold its hand up in the wind. Each room is
 * a copy of one scene with a wind of its own; all are stepped as one world. An episode ends, the
 * best rooms teach the others, and all begin anew. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { ROOMS = 256, TEACHERS = 32, EPISODES = 8, SECONDS = 2, STEPS = 60 * SECONDS };
enum { SHOULDER, ELBOW, HAND, PARTICLES };

#define UPPER_ARM 0.3f
#define FOREARM 0.25f

/* A controller: newtons on the hand a metre off the target, and against a metre per second. */
typedef struct policy {
  float stiffness, damping, lift;
} policy;

typedef struct room {
  uint32_t first; /* particle */
  policy policy;
  double error; /* metres, mean over the episode */
} room;

static const float target[3] = {0.3f, 0.2f, 0.0f}; /* from the shoulder */

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

/* -1 to 1, the same in every run. */
static float draw(void) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) * 0x1p-23f - 1.0f;
}

static weft_link_def bone_between(uint32_t a, uint32_t b, float length) {
  weft_link_def bone = weft_default_link_def();
  bone.a = a;
  bone.b = b;
  bone.rest_length = length;
  return bone;
}

/* An arm that hangs from its shoulder; the elbow opens from 40 to 170 degrees. */
static weft_scene* new_arm(void) {
  const float places[PARTICLES][3] = {
      {0.0f, 0.0f, 0.0f}, {0.0f, -UPPER_ARM, 0.0f}, {FOREARM, -UPPER_ARM, 0.0f}};
  const float inverse_masses[PARTICLES] = {0.0f, 1.0f / 0.4f, 1.0f / 0.3f};
  weft_scene* scene = NULL;
  weft_link_def links[3] = {bone_between(SHOULDER, ELBOW, UPPER_ARM),
                            bone_between(ELBOW, HAND, FOREARM), bone_between(SHOULDER, HAND, 1.0f)};
  weft_link_def* limit = &links[2];
  limit->kind = WEFT_LINK_SUPPORT;
  limit->mode = WEFT_LINK_MODE_RANGE;
  check(weft_length_at_angle(UPPER_ARM, FOREARM, 0.7f, &limit->rest_length));
  check(weft_length_at_angle(UPPER_ARM, FOREARM, 3.0f, &limit->max_length));
  weft_particle_shape_def sleeve = weft_default_particle_shape_def();
  sleeve.half_size[0] = 0.05f;  // the wind acts on bones of this radius
  check(weft_scene_create(&scene));
  check(weft_scene_add_particles(scene, places[0], inverse_masses, PARTICLES, NULL));
  check(weft_scene_add_links(scene, links, 3, NULL));
  check(weft_scene_set_particle_shape(scene, weft_range(0, PARTICLES), &sleeve));
  return scene;
}

static weft_world* new_rooms(room* rooms) {
  weft_scene *all = NULL, *one = new_arm();
  weft_world* world = NULL;
  weft_world_def def = weft_default_world_def();
  def.worker_count = weft_available_cpus();
  check(weft_scene_create(&all));
  for (uint32_t r = 0; r < ROOMS; ++r) {
    weft_body arm;
    check(weft_scene_add_scene(all, one, NULL, NULL, r, &arm));
    rooms[r].first = arm.first_particle;
    rooms[r].policy = (policy){20.0f + 20.0f * draw(), 2.0f + 2.0f * draw(), 6.0f + 6.0f * draw()};
  }
  check(weft_world_create(&def, all, &world));
  weft_scene_destroy(&one);
  weft_scene_destroy(&all);
  return world;
}

/* A new wind in each room. */
static void blow(weft_world* world) {
  for (uint32_t r = 0; r < ROOMS; ++r) {
    weft_wind_def wind = weft_default_wind_def();
    wind.velocity[0] = 6.0f * draw();
    wind.velocity[2] = 6.0f * draw();
    wind.gust = 0.5f;
    wind.seed = r;
    check(weft_world_set_environment_wind(world, weft_range(r, 1), &wind));
  }
}

/* Observes all hands at once, and pushes each by its room's policy. */
static void act(weft_world* world, room* rooms) {
  static float place[ROOMS][3], velocity[ROOMS][3], force[ROOMS][3];
  uint32_t hands[ROOMS];
  for (uint32_t r = 0; r < ROOMS; ++r) hands[r] = rooms[r].first + HAND;
  const weft_selection all = weft_list(hands, ROOMS);
  check(weft_world_get(world, WEFT_ATTRIBUTE_POSITION, all, place, 0));
  check(weft_world_get(world, WEFT_ATTRIBUTE_VELOCITY, all, velocity, 0));
  for (uint32_t r = 0; r < ROOMS; ++r) {
    const policy* by = &rooms[r].policy;
    double squares = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const float off = target[axis] - place[r][axis];
      force[r][axis] = by->stiffness * off - by->damping * velocity[r][axis];
      squares += (double)off * (double)off;
    }
    force[r][1] += by->lift;
    rooms[r].error += sqrt(squares) / STEPS;
  }
  check(weft_world_add(world, WEFT_ATTRIBUTE_FORCE, all, force, 0));
}

static int compare_errors(const void* a, const void* b) {
  const double one = ((const room*)a)->error, other = ((const room*)b)->error;
  return (one > other) - (one < other);
}

/* The best rooms keep their policies; the others take one of them, and try a little beside it. */
static void learn(room* rooms) {
  qsort(rooms, ROOMS, sizeof(*rooms), compare_errors);
  for (uint32_t r = TEACHERS; r < ROOMS; ++r) {
    const policy* from = &rooms[r % TEACHERS].policy;
    rooms[r].policy =
        (policy){from->stiffness * (1.0f + 0.3f * draw()), from->damping * (1.0f + 0.3f * draw()),
                 from->lift * (1.0f + 0.1f * draw())};
  }
}

int main(void) {
  static room rooms[ROOMS];
  static char start[ROOMS * 4096];
  weft_world* world = new_rooms(rooms);
  double mean[EPISODES] = {0.0};
  size_t size = 0;
  check(weft_world_save(world, start, sizeof(start), &size));
  for (int episode = 0; episode < EPISODES; ++episode) {
    check(weft_world_restore(world, start, size));
    blow(world);
    for (uint32_t r = 0; r < ROOMS; ++r) rooms[r].error = 0.0;
    for (int step = 0; step < STEPS; ++step) {
      act(world, rooms);
      weft_world_step(world, 1);
    }
    for (uint32_t r = 0; r < ROOMS; ++r) mean[episode] += rooms[r].error / ROOMS;
    learn(rooms);
    const policy* best = &rooms[0].policy;
    printf("episode %d: hands are %.3f m off, the best %.3f m: %.0f N/m, %.1f N s/m, lift %.1f N\n",
           episode, mean[episode], rooms[0].error, (double)best->stiffness, (double)best->damping,
           (double)best->lift);
  }
  weft_world_destroy(&world);
  return mean[EPISODES - 1] < 0.5 * mean[0] ? EXIT_SUCCESS : EXIT_FAILURE;
}
