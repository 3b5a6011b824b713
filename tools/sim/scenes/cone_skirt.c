#include "sim/scenes/cone_skirt.h"

#include <math.h>
#include <stdlib.h>

#include "sim/path.h"

bool sim_read_skirt(sim_skirt* skirt, const sim_values* values, tool_message* why) {
  skirt->around = sim_count(values, "around");
  skirt->rows = sim_count(values, "rows");
  skirt->length = sim_number(values, "length");
  const double flare = skirt->hem - skirt->waist;
  return skirt->length > flare ||
         tool_because(why, "--set length: the skirt needs more than %g m", flare);
}

double sim_skirt_spacing(const sim_skirt* skirt) {
  return fmin(skirt->length / (skirt->rows - 1), 6.283185307179586 * skirt->waist / skirt->around);
}

uint32_t sim_skirt_particle_count(const sim_skirt* skirt) {
  return skirt->around * skirt->rows;
}

uint32_t sim_skirt_face_count(const sim_skirt* skirt) {
  return 2 * (skirt->rows - 1) * skirt->around;
}

void sim_skirt_place(const sim_skirt* skirt, uint32_t i, double place[3]) {
  const double flare = skirt->hem - skirt->waist;
  const double height = sqrt(skirt->length * skirt->length - flare * flare);
  const double down = (double)(i / skirt->around) / (skirt->rows - 1);
  const double radius = skirt->waist + flare * down;
  double sine, cosine;
  sim_sine_of_turns((double)(i % skirt->around) / skirt->around, &sine, &cosine);
  place[0] = radius * cosine;
  place[1] = skirt->waist_height - height * down;
  place[2] = radius * sine;
}

void sim_skirt_corners(const sim_skirt* skirt, uint32_t face, uint32_t corner[3]) {
  const uint32_t cell = face / 2, around = skirt->around;
  const uint32_t next = cell % around + 1 == around ? cell + 1 - around : cell + 1;
  corner[0] = face % 2 == 0 ? cell : next;
  corner[1] = face % 2 == 0 ? next : next + around;
  corner[2] = cell + around;
}

bool sim_add_skirt(const sim_skirt* skirt, float (*positions)[3], weft_scene* scene,
                   tool_message* why) {
  const uint32_t face_count = sim_skirt_face_count(skirt);
  uint32_t(*triangles)[3] = calloc(face_count, sizeof *triangles);
  if (!triangles) return tool_because(why, "no memory for a skirt");
  for (uint32_t f = 0; f < face_count; ++f) sim_skirt_corners(skirt, f, triangles[f]);
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = positions[0];
  mesh.vertex_count = sim_skirt_particle_count(skirt);
  mesh.triangles = triangles[0];
  mesh.triangle_count = face_count;
  mesh.particle_mass = (float)(0.3 * skirt->length / mesh.vertex_count);
  mesh.bend_relaxation = 0.05f;
  const bool ok = sim_check(weft_scene_add_mesh(scene, &mesh, NULL), why) &&
                  sim_check(weft_scene_pin(scene, 0, skirt->around), why);
  free(triangles);
  return ok;
}

typedef struct capsule_now {
  float middle[3];
  double axis[3]; /* unit vector */
  double radius, half_length;
} capsule_now;

static bool read_capsule(capsule_now* now, const weft_world* world, weft_collider capsule) {
  float q[4];
  if (weft_world_get_collider(world, capsule, now->middle, q).error != WEFT_OK) return false;
  const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
  // the axis y, turned
  now->axis[0] = 2.0 * (x * y - w * z);
  now->axis[1] = 1.0 - 2.0 * (x * x + z * z);
  now->axis[2] = 2.0 * (y * z + w * x);
  return true;
}

static double depth_in(const capsule_now* now, const double at[3]) {
  double away[3], along = 0.0, square = 0.0;
  for (int k = 0; k < 3; ++k) {
    away[k] = at[k] - (double)now->middle[k];
    along += away[k] * now->axis[k];
  }
  along = fmin(fmax(along, -now->half_length), now->half_length);
  for (int k = 0; k < 3; ++k) {
    const double off = away[k] - along * now->axis[k];
    square += off * off;
  }
  return now->radius - sqrt(square);
}

bool sim_skirt_depths(const sim_skirt* skirt, float (*positions)[3], const weft_world* world,
                      weft_collider capsule, double radius, double half_length,
                      void (*note)(void* state, bool is_face, double depth), void* state) {
  capsule_now now = {.radius = radius, .half_length = half_length};
  if (!read_capsule(&now, world, capsule)) return false;
  for (uint32_t i = 0; i < sim_skirt_particle_count(skirt); ++i) {
    const float* p = positions[i];
    note(state, false, depth_in(&now, (const double[3]){(double)p[0], (double)p[1], (double)p[2]}));
  }
  for (uint32_t f = 0; f < sim_skirt_face_count(skirt); ++f) {
    uint32_t corner[3];
    double at[3] = {0.0, 0.0, 0.0};
    sim_skirt_corners(skirt, f, corner);
    for (int k = 0; k < 9; ++k) at[k % 3] += (double)positions[corner[k / 3]][k % 3] / 3.0;
    note(state, true, depth_in(&now, at));
  }
  return true;
}
