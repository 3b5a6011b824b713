/* Rows of settings: the default first. */
#include <math.h>
#include <stddef.h>

#include "laws/laws.h"

static void apply_default(weft_world_def* def) {
  (void)def;
}

// one substep, only sweeps
static void apply_plain(weft_world_def* def) {
  const weft_world_def plain = weft_plain_world_def();
  def->solver.substeps = plain.solver.substeps, def->solver.iterations = plain.solver.iterations;
  def->solver.coarse_iterations = def->solver.attachments = 0;
}

static void apply_sweeps(weft_world_def* def, uint32_t substeps, uint32_t iterations) {
  apply_plain(def);
  def->solver.substeps = substeps, def->solver.iterations = iterations;
}

static void apply_substeps_1(weft_world_def* def) {
  def->solver.substeps = 1;
}
static void apply_substeps_4(weft_world_def* def) {
  def->solver.substeps = 4;
}
static void apply_sweeps_4(weft_world_def* def) {
  apply_sweeps(def, 4, 4);
}
static void apply_sweeps_16(weft_world_def* def) {
  apply_sweeps(def, 16, 2);
}

static void apply_levels(weft_world_def* def) {
  apply_sweeps(def, 4, 2);
  def->solver.coarse_iterations = 4;
}

static void apply_attachments(weft_world_def* def) {
  apply_sweeps(def, 8, 2);
  def->solver.attachments = 2;
}

static void apply_swept_trees(weft_world_def* def) {
  def->solver.direct_iterations = 0, def->solver.direct_bends = 0;
}

static void apply_tolerance(weft_world_def* def) {
  apply_sweeps(def, 8, 50);
  def->solver.tolerance = 1e-5f;
}

static void apply_workers(weft_world_def* def) {
  def->worker_count = 3;
}

static void apply_integrator(weft_world_def* def, weft_integrator integrator) {
  def->solver.integrator = integrator;
}

static void apply_velocity_verlet(weft_world_def* def) {
  apply_integrator(def, WEFT_INTEGRATOR_VELOCITY_VERLET);
}

static void apply_semi_implicit(weft_world_def* def) {
  apply_integrator(def, WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER);
}

static void apply_explicit(weft_world_def* def) {
  apply_integrator(def, WEFT_INTEGRATOR_EXPLICIT_EULER);
}

static void apply_implicit(weft_world_def* def) {
  apply_integrator(def, WEFT_INTEGRATOR_IMPLICIT_EULER);
}

static void apply_runge_kutta(weft_world_def* def) {
  apply_integrator(def, WEFT_INTEGRATOR_RUNGE_KUTTA_4);
}

// links with a compliance as springs, with substeps within the limit of stability
static void apply_springs(weft_world_def* def) {
  def->solver.springs = true, def->solver.substeps = 64;
}

static void apply_stiff_springs(weft_world_def* def) {
  def->solver.springs = true, def->solver.integrator = WEFT_INTEGRATOR_IMPLICIT_EULER;
  def->solver.substeps = 8;
}

// clang-format off
const law_setting law_settings[] = {
  {"default", 0, 0, 0, apply_default},
  {"plain", TRAIT_ROUGH, 0, 0, apply_plain},
  {"substeps-1", TRAIT_ROUGH, 0, 0, apply_substeps_1},
  {"substeps-4", TRAIT_ROUGH, 0, 0, apply_substeps_4},
  {"sweeps-4", TRAIT_ROUGH, 0, 0, apply_sweeps_4},
  {"sweeps-16", 0, 0, 0, apply_sweeps_16},
  {"levels", TRAIT_ROUGH | TRAIT_COARSE, 0, 0, apply_levels},
  {"attachments", TRAIT_COARSE, 0, TRAIT_FREE, apply_attachments},
  {"swept-trees", 0, TRAIT_LINKS, 0, apply_swept_trees},
  {"tolerance", TRAIT_ROUGH | TRAIT_UNTIL, 0, 0, apply_tolerance},
  {"workers", 0, 0, 0, apply_workers},
  {"velocity-verlet", 0, 0, 0, apply_velocity_verlet},
  {"semi-implicit", 0, 0, 0, apply_semi_implicit},
  {"explicit", TRAIT_GAINS, 0, 0, apply_explicit},
  {"implicit", TRAIT_UNTIL, 0, 0, apply_implicit},
  {"runge-kutta", 0, 0, 0, apply_runge_kutta},
  {"springs", 0, TRAIT_LINKS, TRAIT_TENSE, apply_springs},
  {"stiff-springs", TRAIT_UNTIL, TRAIT_LINKS, TRAIT_TENSE, apply_stiff_springs},
};
// clang-format on

const uint32_t law_setting_count = sizeof(law_settings) / sizeof(law_settings[0]);
