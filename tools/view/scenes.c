#include "view/scenes.h"

#include <stddef.h>
#include <string.h>

const view_scene view_scenes[] = {
    {.name = "curtain",
     .sets = (const char* const[]){"pull=0", "columns=97", "rows=65", "width=3.6", "hook=8",
                                   "gather=0.3", NULL},
     .lower = {-0.3f, -2.8f, -0.5f},
     .upper = {2.9f, 0.1f, 0.5f}},
    {.name = "ragdolls",
     .sets = (const char* const[]){"drag=0", "count=7", NULL},
     .line_radius = 0.055,
     .lower = {-4.0f, 0.0f, 0.0f},
     .upper = {4.0f, 4.5f, 9.0f}},
    {.name = "player",
     .hint = "Arrows walk and steer in the air, Enter jumps",
     .sets = (const char* const[]){"script=", "room=12", NULL},
     .is_followed = true,
     .lower = {-3.0f, 0.0f, -1.5f},
     .upper = {3.0f, 3.2f, 1.5f}},
    {.name = "rope",
     .hint = "The head of the rope follows the pointer",
     .sets = (const char* const[]){"target=still", "links=60", NULL},
     .line_radius = 0.014,
     .lower = {-1.2f, -2.2f, -0.5f},
     .upper = {2.0f, 0.8f, 0.5f}},
    {.name = "bodies",
     .sets =
         (const char* const[]){"count=400", "friction=0.15", "restitution=0.4", "fill=0.4", NULL}},
    {.name = "integrators",
     .sets = (const char* const[]){"halvings=0", "integrator=explicit_euler", NULL},
     .rate = 60.0,
     .line_radius = 0.02},
    {.name = "tire",
     .is_followed = true,
     .line_radius = 0.02,
     .lower = {-1, 0, -0.6f},
     .upper = {4, 1.4f, 0.6f}},
    {.name = "web",
     .sets = (const char* const[]){"flies=20", NULL},
     .line_radius = 0.0012,
     .lower = {-0.35f, -0.35f, -0.2f},
     .upper = {0.35f, 0.35f, 0.2f}},
    {.name = "tree", .sets = (const char* const[]){"from=2", "until=100000", NULL}},
    {.name = "double-pendulum",
     .line_radius = 0.02,
     .lower = {-2.0f, -2.0f, -0.4f},
     .upper = {2.0f, 2.0f, 0.4f}},
    {.name = "pendulum",
     .line_radius = 0.015,
     .lower = {-1.0f, -1.1f, -0.4f},
     .upper = {1.0f, 0.2f, 0.4f}},
    {.name = "drape-sphere",
     .sets = (const char* const[]){"size=97", "cloth=true", NULL},
     .lower = {-0.8f, -0.8f, -0.8f},
     .upper = {0.8f, 0.6f, 0.8f}},
    {.name = "flag"},
    {.name = "shapes"},
    {.name = "rope-elastic",
     .sets = (const char* const[]){"target=still", NULL},
     .lower = {-2.2f, -2.8f, -0.5f},
     .upper = {2.2f, 0.3f, 0.5f}},
    {.name = "bullet", .lower = {-0.7f, -0.7f, -0.7f}, .upper = {0.7f, 0.7f, 0.7f}},
    {.name = NULL},
};

const view_scene* view_find_scene(const char* name) {
  const view_scene* found = view_scenes;
  while (found->name && strcmp(found->name, name) != 0) ++found;
  return found;
}
