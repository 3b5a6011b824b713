/* The loop of a game. Crates drop on a trapdoor and into a well, and each contact is a sound; a
 * hero in a cape walks through a portal. At midnight crates are pumpkins. */
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { CRATES = 6, COLUMNS = 17, HOOKS = 5, FRAMES = 240, MAX_EVENTS = 4096 };

/* Data of the game about a body or a collider. */
typedef struct entity {
  const char* name;
} entity;

static entity crate = {"a crate"}, pumpkin = {"a pumpkin"};
static entity trapdoor = {"the trapdoor"}, water = {"the water"};

typedef struct level {
  weft_world* world;
  weft_body cape, crates; /* crates: slots of particles that come and go */
  weft_collider hero, trapdoor;
  float place[3], ahead; /* of the hero, who walks along z, or back where `ahead` is -1 */
  unsigned swallowed;
} level;

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

static weft_collider add_slab(weft_world* world, float height, entity* what) {
  weft_collider_def slab = weft_default_collider_def();
  weft_collider made;
  slab.shape = WEFT_COLLIDER_SHAPE_BOX;
  slab.position[0] = 3.0f;
  slab.position[1] = height;
  slab.half_size[0] = slab.half_size[2] = 0.8f;
  slab.half_size[1] = 0.05f;
  slab.user_data = what;
  check(weft_world_add_collider(world, &slab, &made));
  return made;
}

static level load(void) {
  level made = {.place = {0.0f, 0.8f, 0.0f}, .ahead = 1.0f};
  weft_scene* scene = NULL;
  const weft_world_def def = weft_default_world_def();
  weft_cloth_def cape = weft_default_cloth_def();
  cape.origin[0] = -0.25f;
  cape.origin[1] = 1.45f;
  cape.origin[2] = -0.17f;
  cape.width = 0.5f;
  cape.columns = COLUMNS;
  cape.hooks = HOOKS;
  check(weft_scene_create(&scene));
  check(weft_scene_add_cloth(scene, &cape, &made.cape));
  check(weft_scene_reserve_particles(scene, CRATES, &made.crates));
  check(weft_scene_set_user_data(scene, made.crates.first_particle, &crate));
  check(weft_world_create(&def, scene, &made.world));
  weft_scene_destroy(&scene);

  weft_collider_def hero = weft_default_collider_def();
  hero.shape = WEFT_COLLIDER_SHAPE_CAPSULE;
  hero.radius = 0.14f;
  hero.half_size[1] = 0.6f;
  hero.position[1] = made.place[1];
  check(weft_world_add_collider(made.world, &hero, &made.hero));
  made.trapdoor = add_slab(made.world, 1.0f, &trapdoor);
  (void)add_slab(made.world, 0.0f, &water);
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_events = MAX_EVENTS;
  check(weft_world_set_contact_limits(made.world, &limits));
  return made;
}

static void drop_crate(const level* l, int number) {
  weft_particle_shape_def box = weft_default_particle_shape_def();
  weft_particle_def def = weft_default_particle_def();
  weft_particle made;
  float mass = 0.0f;
  box.shape = WEFT_PARTICLE_SHAPE_BOX;
  for (int axis = 0; axis < 3; ++axis) box.half_size[axis] = 0.15f;
  box.surface.static_friction = box.surface.dynamic_friction = 0.5f;
  check(weft_particle_shape_get_mass(&box, 600.0f, &mass));  // of pine: kilograms per cubic metre
  def.shape = &box;
  def.inverse_mass = 1.0f / mass;
  def.position[0] = 2.6f + 0.4f * (float)(number % 3);
  def.position[1] = 2.0f;
  check(weft_world_add_particle(l->world, &def, &made));
}

/* A contact that begins is a sound. The well swallows all that touches its water. */
static void hear(level* l, const weft_contact_event* event) {
  weft_collider_def hit;
  weft_particle sunk;
  void* what = NULL;
  check(weft_world_get_body_user_data(l->world, event->particle, &what));
  if (event->kind != WEFT_CONTACT_EVENT_BEGIN || what == NULL || event->collider.generation == 0)
    return;
  check(weft_world_get_collider(l->world, event->collider, &hit));
  const double seconds = (double)event->step / 60.0;
  printf("%.2f s: %s hits %s with %.1f N s\n", seconds, ((const entity*)what)->name,
         ((const entity*)hit.user_data)->name, (double)event->impulse);
  if (hit.user_data != &water) return;
  check(weft_world_get_particle(l->world, event->particle, &sunk));
  check(weft_world_remove_particle(l->world, sunk));
  ++l->swallowed;
}

/* The hero walks: the capsule goes ahead, and the hooks of the cape with the shoulders. */
static void walk(level* l) {
  float shoulders[HOOKS][3];
  uint32_t hooks[HOOKS];
  l->place[2] += 0.02f * l->ahead;
  for (uint32_t i = 0; i < HOOKS; ++i) {
    hooks[i] = l->cape.first_particle + i * (COLUMNS - 1) / (HOOKS - 1);
    shoulders[i][0] = l->place[0] + l->ahead * (0.125f * (float)i - 0.25f);
    shoulders[i][1] = 1.45f;
    shoulders[i][2] = l->place[2] - 0.17f * l->ahead;
  }
  check(weft_world_move_collider(l->world, l->hero, l->place, NULL));
  check(weft_world_set(l->world, WEFT_ATTRIBUTE_TARGET, weft_list(hooks, HOOKS), shoulders, 0));
}

/* A portal turns about by half, and leads elsewhere: nothing on the way is swept along. */
static void pass_portal(level* l) {
  const float out[3] = {-4.0f, 0.0f, 0.0f}, half_turn[4] = {0.0f, 1.0f, 0.0f, 0.0f};
  const weft_selection cape = weft_range(l->cape.first_particle, l->cape.particle_count);
  weft_collider_def hero;
  check(weft_world_get_collider(l->world, l->hero, &hero));
  for (int axis = 0; axis < 3; axis += 2) {
    l->place[axis] = hero.position[axis] = out[axis] - hero.position[axis];
  }
  check(weft_world_set_collider(l->world, l->hero, &hero));
  check(weft_world_teleport(l->world, cape, out, half_turn));
  l->ahead = -l->ahead;
}

/* Removes the crates that are left; returns their number. */
static unsigned clear(level* l) {
  weft_particle all[1024];
  uint32_t count = 0, left = 0;
  check(weft_world_list_particles(l->world, 1024, all, &count));
  for (uint32_t i = 0; i < count; ++i) {
    if (all[i].index < l->crates.first_particle) continue;
    check(weft_world_remove_particle(l->world, all[i]));
    ++left;
  }
  return left;
}

int main(void) {
  static weft_contact_event events[MAX_EVENTS];
  level l = load();
  for (int frame = 0; frame < FRAMES; ++frame) {
    uint32_t count = 0;
    if (frame % 25 == 0 && frame / 25 < CRATES) drop_crate(&l, frame / 25);
    if (frame == 80) pass_portal(&l);
    if (frame == 100) {
      check(weft_world_set_body_user_data(l.world, l.crates.first_particle, &pumpkin));
    }
    if (frame == 110) check(weft_world_remove_collider(l.world, l.trapdoor));
    walk(&l);
    weft_world_step(l.world, 1);
    check(weft_world_take_contact_events(l.world, MAX_EVENTS, events, &count));
    for (uint32_t i = 0; i < count; ++i) hear(&l, &events[i]);
  }
  float hem[3];
  const uint32_t last = l.cape.first_particle + l.cape.particle_count - 1;
  check(weft_world_get(l.world, WEFT_ATTRIBUTE_POSITION, weft_range(last, 1), hem, 0));
  const float behind = l.ahead * (l.place[2] - hem[2]);
  const unsigned left = clear(&l);
  printf("the well has swallowed %u, %u are left; the cape flies %.2f m behind at %.1f %.1f\n",
         l.swallowed, left, (double)behind, (double)l.place[0], (double)l.place[2]);
  weft_world_destroy(&l.world);
  return l.swallowed + left == CRATES && l.swallowed > 3 && behind > 0.2f && behind < 1.2f
             ? EXIT_SUCCESS
             : EXIT_FAILURE;
}
