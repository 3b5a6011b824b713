/* Drape by Cusick: a round specimen lies on a smaller disc, and its rim falls in folds. The drape
 * coefficient is the share of the area beyond the disc that its shadow keeps. (Cusick 1968, "The
 * measurement of fabric drape"; ISO 9073-9) */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "validate/shapes.h"
#include "validate/validate.h"

static const double specimen_radius = 0.15, disc_radius = 0.09;  // metres

typedef struct drape {
  double coefficient; /* percent */
  double rms_speed;   /* metres per second */
} drape;

/* The first two rings are held, as by the instrument's plate; the second ring is the edge of the
 * disc, where the mesh bends: see validate/bending.c. */
static bool add_specimen(validate_run* run, weft_fabric fabric, uint32_t free_rings,
                         shape_mesh* mesh, double* spacing) {
  weft_material_def material;
  *spacing = (specimen_radius - disc_radius) / free_rings;
  tool_must(weft_fabric_material(fabric, true, &material));
  if (!shape_make_annulus(run, disc_radius - *spacing, free_rings + 2, *spacing, mesh)) {
    return false;
  }
  shape_add(run, mesh, &material, 0.0);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const float* at = &mesh->positions[3 * (size_t)i];
    if (hypot((double)at[0], (double)at[2]) > disc_radius + 0.5 * *spacing) continue;
    tool_must(weft_scene_pin(run->scene, weft_range(i, 1)));
  }
  return true;
}

/* Speeds up to 2 cm/s begin folds: 2 to 7 waves around the disc, the same at any resolution, unlike
 * speeds that differ from particle to particle. */
static void disturb(validate_run* run) {
  for (uint32_t i = 0; i < run->stats.particle_count; ++i) {
    double place[3], speed = 0.0;
    validate_position(run, i, place);
    const double angle = atan2(place[2], place[0]);
    for (int waves = 2; waves <= 7; ++waves) speed += 0.01 * sin(waves * angle + waves * waves);
    const float velocity[3] = {0.0f, (float)speed, 0.0f};
    tool_set(run->world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity, 0);
  }
}

/* Root mean square of free particles' speeds in the next second: cloth at rest trembles by
 * rounding, and single steps differ by a fifth. */
static double measure_rest(validate_run* run) {
  const long steps = lround(run->rate);
  double sum = 0.0;
  for (long i = 0; i < steps && validate_step(run, 1); ++i) {
    const double speed = validate_rms_speed(run);
    sum += speed * speed;
  }
  return sqrt(sum / (double)steps);
}

/* After 10 seconds. */
static drape measure_drape(validate_run* run, validate_setting setting, weft_fabric fabric,
                           uint32_t free_rings) {
  drape found = {NAN, NAN};
  shape_mesh mesh;
  double spacing;
  validate_scene(run);
  if (!add_specimen(run, fabric, free_rings, &mesh, &spacing)) return found;
  validate_open(run, setting, 2.0, validate_gravity, spacing);
  disturb(run);
  validate_settle(run, 9.0);
  const double rms_speed = measure_rest(run);
  float* positions = validate_positions(run);
  if (positions) {
    const double disc = validate_pi * disc_radius * disc_radius;
    const double specimen = validate_pi * specimen_radius * specimen_radius;
    const double shadow = shape_projected_area(run, &mesh, positions, disc_radius);
    found = (drape){100.0 * (shadow - disc) / (specimen - disc), rms_speed};
  }
  free(positions);
  shape_free(&mesh);
  return found;
}

static void compare_resolutions(validate_run* run, validate_setting setting, weft_fabric fabric) {
  weft_fabric_data data;
  tool_must(weft_get_fabric_data(fabric, &data));
  const char* how = setting == VALIDATE_DEFAULT ? "default" : "256 sweeps a step";
  const drape coarse = measure_drape(run, setting, fabric, 6);
  validate_add_absolute(run, "m/s", 0.0, coarse.rms_speed, 1e-3,
                        "%s, rms speed in the tenth second, 1 cm, %s", data.name, how);
  const drape fine = measure_drape(run, setting, fabric, 12);
  validate_add_absolute(run, "m/s", 0.0, fine.rms_speed, 1e-3,
                        "%s, rms speed in the tenth second, 0.5 cm, %s", data.name, how);
  validate_add_absolute(run, "%", fine.coefficient, coarse.coefficient, 3.0,
                        "%s, drape coefficient at 1 cm against that at 0.5 cm, %s", data.name, how);
  if (fabric != WEFT_FABRIC_DENIM) return;
  validate_add_absolute(run, "%", 80.0, fine.coefficient, 10.0,
                        "%s, drape coefficient, expected 70 to 90 %%, %s", data.name, how);
}

void validate_drape(validate_run* run, uint32_t number) {
  // denim first, for --quick
  const weft_fabric fabric = number == 0                             ? WEFT_FABRIC_DENIM
                             : number <= (uint32_t)WEFT_FABRIC_DENIM ? (weft_fabric)(number - 1)
                                                                     : (weft_fabric)number;
  compare_resolutions(run, VALIDATE_DEFAULT, fabric);
  compare_resolutions(run, VALIDATE_MORE_SWEEPS, fabric);
}
