/* Solver settings by scene.
 *
 * Substeps of few iterations converge better than iterations of one step at the same cost (Macklin,
 * Storey, Lu, Terdiman, Chentanez, Jeschke, Mueller 2019, "Small steps in physics simulation"), so
 * a step has enough substeps for one symmetric pair of sweeps each. Three cases need more:
 *
 *   pinned, rigid cloth     long-range attachments: the reach of a pin is a constraint of its own
 *   cloth that rests on a   multigrid levels: each sweep carries a load by one link, as a wave
 *   collider or is elastic  of speed c = spacing * sweeps / step. Cloth of extent L then sags as if
 *                           it were elastic, by a strain of g L / c^2
 *   elastic mesh, sheet     more sweeps in shorter substeps, and no levels as long as these bear
 *   that resists bending    its weight: coarse links know no bending, and have neither the
 *                           stiffness of triangles in each direction nor hand their load to them
 *                           (docs/materials.md)
 *
 * Attachments enforce rest lengths: their paths avoid links that are elastic or can tear. */
#include "world/solver_choice.h"

#include <math.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "base/vec3.h"
#include "world/world.h"

// Length of a substep that a pair of sweeps suffices for, and the limit of substeps.
#define SUBSTEP_NS 2083334
#define MAX_AUTO_SUBSTEPS 16
#define ITERATIONS 2
// Sweeps of other elastic sheets, in substeps of half the length.
#define SOFT_ITERATIONS 4
#define AUTO_ATTACHMENTS 4
// Strain by which cloth may sag because sweeps have not converged.
#define MAX_SAG 0.002
// Sag of cloth of measured stiffness: levels cost accuracy in bends (1.5 % instead of 0.9 %).
#define MAX_ELASTIC_SAG 0.005
// Gravity that loads cloth where the caller's is lower: it may be set later.
#define MIN_GRAVITY 9.81
#define LEVEL_ITERATIONS 2
// Sweeps of cloth of measured stiffness; length and limit of its substeps.
#define ELASTIC_ITERATIONS 6
#define ELASTIC_SUBSTEP_NS 520834
#define MAX_ELASTIC_SUBSTEPS 64
// Sweeps in substeps that the caller has chosen.
#define LONG_ELASTIC_ITERATIONS 12

// Structural links of one part of the scene.
typedef struct part_links {
  double length; /* metres, sum */
  uint32_t count;
  bool is_pinned;
  bool is_rigid;   /* no link is elastic or can tear */
  bool is_elastic; /* some are */
} part_links;

static void summarize(const weft_scene* scene, part_links* parts) {
  for (size_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    parts[p].is_rigid = true;
    for (uint32_t i = 0; i < part->particle_count && !parts[p].is_pinned; ++i) {
      parts[p].is_pinned = scene->inverse_masses[part->first_particle + i] == 0.0f;
    }
  }
  const weft__links* links = &scene->links;
  size_t p = 0;
  for (uint32_t i = 0; i < links->count; ++i) {
    if (links->kind[i] != WEFT_LINK_STRUCTURAL) continue;
    // links of a part are usually consecutive
    const uint32_t from_first = links->end_a[i] - scene->parts[p].first_particle;
    if (from_first >= scene->parts[p].particle_count)
      p = weft__scene_part_of(scene, links->end_a[i]);
    parts[p].length += (double)links->rest_length[i];
    ++parts[p].count;
    parts[p].is_rigid &= links->compliance[i] == 0.0f && links->tear_ratio[i] == 0.0f;
    parts[p].is_elastic |= links->compliance[i] > 0.0f;
  }
}

// Strain by which a part sags under its weight if only sweeps bear it.
static double sag_of_sweeps(const weft__part* part, const part_links* links,
                            const weft_world_def* def, uint32_t sweeps) {
  const double spacing = links->length / links->count;
  const double along = part->columns > 0 ? part->columns : sqrt((double)part->particle_count);
  const double across = (double)part->particle_count / along;
  const double gravity = weft__max(weft__length(weft__vec3_of(def->gravity)), MIN_GRAVITY);
  const double speed = spacing * sweeps / ((double)def->step_ns * 1e-9);
  return gravity * spacing * weft__max(along, across) / (speed * speed);
}

static bool is_cloth(const weft__part* part) {
  return part->columns > 0 || part->triangle_count > 0;
}

// True if there is an elastic mesh, or elastic cloth and bend elements.
static bool has_measured_cloth(const weft_scene* scene, const part_links* parts) {
  bool found = false;
  for (size_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    if (!is_cloth(part) || part->fine_only || !parts[p].is_elastic) continue;
    found |= part->columns == 0 || scene->hinges.count > 0;
  }
  return found;
}

static bool has_elastic_sheet(const weft_scene* scene, const part_links* parts) {
  bool found = false;
  for (size_t p = 0; p < scene->part_count; ++p) {
    found |= scene->parts[p].columns > 0 && !scene->parts[p].fine_only && parts[p].is_elastic;
  }
  return found;
}

static uint32_t substeps_for(const weft_world_def* def, const weft_scene* scene, bool is_elastic,
                             bool is_soft) {
  if (scene->links.count == 0) return 1;
  const int64_t soft_length = is_soft ? SUBSTEP_NS / 2 : SUBSTEP_NS;
  const int64_t length = is_elastic ? ELASTIC_SUBSTEP_NS : soft_length;
  const int64_t limit = is_elastic ? MAX_ELASTIC_SUBSTEPS : MAX_AUTO_SUBSTEPS;
  const int64_t wanted = (def->step_ns + length - 1) / length;
  return (uint32_t)(wanted < limit ? wanted : limit);
}

static bool leaves_choice(const weft_world_def* def) {
  return def->iterations == WEFT_AUTO || def->coarse_iterations == WEFT_AUTO ||
         def->substeps == WEFT_AUTO || def->attachments == WEFT_AUTO;
}

// Sweeps a substep; elastic_sweeps: of cloth of measured stiffness, 0 if there is none.
static bool sags(const weft_world_def* def, const weft_scene* scene, const part_links* parts,
                 uint32_t sweeps, uint32_t elastic_sweeps) {
  for (size_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    const bool is_attached = def->attachments > 0 && parts[p].is_pinned && parts[p].is_rigid;
    if (!is_cloth(part) || is_attached || part->fine_only || parts[p].count == 0) continue;
    const bool is_measured = parts[p].is_elastic && elastic_sweeps > 0;
    const uint32_t count = (is_measured ? elastic_sweeps : sweeps) * def->substeps;
    const double limit = is_measured ? MAX_ELASTIC_SAG : MAX_SAG;
    if (sag_of_sweeps(part, &parts[p], def, count) > limit) return true;
  }
  return false;
}

// True if the direct solver may hold a part: its links close no loop.
static bool is_solved_directly(const weft_world_def* def, const weft__part* part,
                               const part_links* links) {
  return def->direct_iterations > 0 && links->count < part->particle_count;
}

static void choose_attachments(weft_world_def* def, const weft_scene* scene,
                               const part_links* parts) {
  bool has_anchors = false;
  for (size_t p = 0; p < scene->part_count; ++p) {
    has_anchors |= parts[p].count > 0 && parts[p].is_pinned && parts[p].is_rigid &&
                   !is_solved_directly(def, &scene->parts[p], &parts[p]);
  }
  def->attachments = has_anchors && !def->loads ? AUTO_ATTACHMENTS : 0;
}

static void choose_sweeps(weft_world_def* def, const weft_scene* scene, const part_links* parts,
                          uint32_t elastic_iterations, bool is_soft) {
  const bool is_open = def->iterations == WEFT_AUTO;
  const uint32_t iterations = is_soft ? SOFT_ITERATIONS : ITERATIONS;
  if (def->coarse_iterations == WEFT_AUTO) {
    // elastic sheets hang by levels unless few sweeps would do
    const uint32_t own = is_soft ? 1 : ITERATIONS;
    const uint32_t sweeps = is_open ? own : def->iterations;
    const bool needs_levels = !def->loads && sags(def, scene, parts, sweeps, elastic_iterations);
    def->coarse_iterations = needs_levels ? LEVEL_ITERATIONS : 0;
  }
  if (!is_open) return;
  def->iterations = elastic_iterations > 0 ? elastic_iterations : iterations;
}

// Sweeps of cloth of measured stiffness; 0 if there is none, or the caller has chosen some of the
// settings.
static uint32_t elastic_iterations_of(const weft_world_def* def, const weft_scene* scene,
                                      const part_links* parts) {
  const bool is_open = def->iterations == WEFT_AUTO && def->coarse_iterations == WEFT_AUTO;
  if (!is_open || def->springs || !has_measured_cloth(scene, parts)) return 0;
  return def->substeps != WEFT_AUTO ? LONG_ELASTIC_ITERATIONS : ELASTIC_ITERATIONS;
}

bool weft__choose_solver(weft_world_def* def, const weft_scene* scene) {
  if (!leaves_choice(def)) return true;
  part_links* parts = weft__alloc_zeroed(scene->part_count, sizeof(*parts));
  if (parts == NULL) return false;
  summarize(scene, parts);
  const uint32_t elastic_iterations = elastic_iterations_of(def, scene, parts);
  const bool is_soft = has_elastic_sheet(scene, parts);
  if (def->attachments == WEFT_AUTO) choose_attachments(def, scene, parts);
  if (def->substeps == WEFT_AUTO) {
    def->substeps = substeps_for(def, scene, elastic_iterations > 0, is_soft);
  }
  choose_sweeps(def, scene, parts, elastic_iterations, is_soft);
  weft__free(parts);
  return true;
}
