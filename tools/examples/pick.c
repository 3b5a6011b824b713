/* A mouse in a game: rays find the towel under the pointer, which the host knows by its user data,
 * and a grip pulls it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

/* Data of a game about a body. */
typedef struct thing {
  const char* name;
  float left; /* metres, of its upper left corner */
} thing;

enum { THINGS = 2 };

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

static weft_world* new_line(thing* things) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  const weft_world_def def = weft_default_world_def();
  check(weft_scene_create(&scene));
  for (int i = 0; i < THINGS; ++i) {
    weft_cloth_def towel = weft_default_cloth_def();
    weft_body body;
    towel.width = 0.5f;
    towel.columns = 21;
    towel.hooks = 2;
    towel.origin[0] = things[i].left;
    check(weft_scene_add_cloth(scene, &towel, &body));
    check(weft_scene_set_user_data(scene, body.first_particle, &things[i]));
  }
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  return world;
}

/* The thing that a ray into the picture meets first, and where; NULL without one. */
static const thing* pick(const weft_world* world, const float eye[3], float place[3]) {
  weft_query_def query = weft_default_query_def();
  weft_query_hit face, particle;
  void* data = NULL;
  uint32_t found = 0;
  for (int axis = 0; axis < 3; ++axis) query.point[axis] = eye[axis];
  query.to[2] = -1.0f;  // a ray, into the picture
  query.particles = query.links = query.colliders = false;
  check(weft_world_query(world, &query, 1, &face, &found));
  if (found == 0) return NULL;
  // the body of a face is its particles'
  query.kind = WEFT_QUERY_CLOSEST;
  for (int axis = 0; axis < 3; ++axis) query.point[axis] = face.point[axis];
  query.particles = true;
  query.faces = false;
  check(weft_world_query(world, &query, 1, &particle, &found));
  check(weft_world_get_body_user_data(world, particle.index, &data));
  for (int axis = 0; axis < 3; ++axis) place[axis] = face.point[axis];
  return data;
}

/* Pulls the cloth at `place` towards the eye for half a second. */
static void pull(weft_world* world, const float place[3]) {
  weft_grip grip;
  float target[3] = {place[0], place[1], place[2]};
  check(weft_world_add_grip(world, place, 0.05f, &grip));
  for (int step = 0; step < 30; ++step) {
    target[2] += 0.01f;
    check(weft_world_move_grip(world, grip, target));
    weft_world_step(world, 1);
  }
  check(weft_world_remove_grip(world, grip));
}

int main(void) {
  static thing things[THINGS] = {{"the red towel", -0.7f}, {"the blue towel", 0.2f}};
  weft_world* world = new_line(things);
  weft_world_step(world, 30);
  const float eyes[3][3] = {{-0.45f, -0.6f, 2.0f}, {0.45f, -0.6f, 2.0f}, {0.0f, -0.6f, 2.0f}};
  const thing* under[3];
  float place[3], pulled[3] = {0.0f};
  for (int i = 0; i < 3; ++i) {
    under[i] = pick(world, eyes[i], place);
    printf("under the pointer: %s\n", under[i] != NULL ? under[i]->name : "nothing");
  }
  (void)pick(world, eyes[1], place);
  pull(world, place);
  const thing* held = pick(world, eyes[1], pulled);
  printf("%s came %.2f m nearer\n", held->name, (double)(pulled[2] - place[2]));
  weft_world_destroy(&world);
  const bool is_right = under[0] == &things[0] && under[1] == &things[1] && under[2] == NULL;
  return is_right && pulled[2] > place[2] + 0.2f ? EXIT_SUCCESS : EXIT_FAILURE;
}
