/* Solver settings by body: parts of the scene that links join.
 *
 * Substeps of few iterations converge better than iterations of one step at the same cost (Macklin,
 * Storey, Lu, Terdiman, Chentanez, Jeschke, Mueller 2019, "Small steps in physics simulation"), so
 * a step has enough substeps for one symmetric pair of sweeps each. Four cases need more:
 *
 *   pinned, rigid cloth     long-range attachments: the reach of a pin is a constraint of its own
 *   cloth that rests on a   multigrid levels: each sweep carries a load by one link, as a wave
 *   collider or is elastic  of speed c = spacing * sweeps / step. Cloth of extent L then sags as if
 *                           it were elastic, by a strain of g L / c^2
 *   cloth that collides     twice as many substeps: folds and layers close to each other keep all
 *                           that sweeps leave
 *   elastic mesh, sheet     more sweeps in shorter substeps, and no levels as long as these bear
 *   that resists bending    its weight: coarse links know no bending, and have neither the
 *                           stiffness of triangles in each direction nor hand their load to them
 *                           (docs/materials.md)
 *
 * Attachments enforce rest lengths: their paths avoid links that are elastic or can tear. */
#include "world/solver_choice.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "base/union_find.h"
#include "base/vec3.h"
#include "step/stage.h"
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
// Particles a pin, over the side of a square of all: cloth that is held by about one edge, and
// rests with one substep. Particles a pin from which levels pay.
#define MIN_LOAD 0.5
#define MAX_LOAD 4.0
#define MIN_LEVEL_LOAD 48.0
// Sweeps of cloth of measured stiffness; length and limit of its substeps.
#define ELASTIC_ITERATIONS 6
#define ELASTIC_SUBSTEP_NS 520834
#define MAX_ELASTIC_SUBSTEPS 64
// Sweeps of elastic meshes with gas, in substeps of the usual length: the gas loads all links, and
// each substep adds the rounding of positions to their velocities.
#define GAS_ITERATIONS 24
// Sweeps in substeps that the caller has chosen.
#define LONG_ELASTIC_ITERATIONS 12

// Structural links of one part of the scene.
typedef struct part_links {
  double length; /* metres, sum */
  uint32_t count;
  bool has_any; /* links of any kind */
  uint32_t pins;
  bool is_rigid;   /* no link is elastic or can tear */
  bool is_elastic; /* some are */
  bool has_bends, has_gas;
  bool is_swept; /* some links of any kind are */
} part_links;

// Parts that links join, at the index of the first.
typedef struct body {
  bool has_links, has_bends;
  bool has_plates; /* meshes that resist bending */
  bool has_gas;
  bool is_soft;     /* has an elastic sheet */
  bool is_measured; /* has cloth of measured stiffness */
  bool collides;    /* has cloth to which the scene has given a contact */
  bool is_attached; /* has pinned, rigid parts that are swept */
  bool is_other;    /* has parts that are no rigid cloth, or gas */
  bool is_swept;    /* has parts that are no trees, solved directly */
  bool sags;
  uint32_t particles, pins;
  uint32_t substeps, iterations;
  bool has_meshes; /* or no cloth. Rigid triangles lock: more sweeps of them make energy */
  bool sweeps_adapt;
  weft__adaption adaption;
} body;

typedef struct chooser {
  const weft_scene* scene;
  weft_world_def* def;
  part_links* parts; /* [part_count] */
  uint32_t* root;    /* see base/union_find.h [part_count] */
  uint32_t* joined;  /* particles, likewise, by links of trees [particle_count] */
  body* bodies;      /* [part_count] */
  bool levels_are_given;
  bool adapts; /* see may_adapt() */
} chooser;

// Part of a particle; particles of one element usually share it.
static uint32_t part_near(const weft_scene* scene, uint32_t particle, uint32_t part) {
  const uint32_t from_first = particle - scene->parts[part].first_particle;
  if (from_first < scene->parts[part].particle_count) return part;
  return (uint32_t)weft__scene_part_of(scene, particle);
}

static void join_hinges(const chooser* c) {
  const weft__hinges* hinges = &c->scene->hinges;
  uint32_t part = 0;
  for (uint32_t h = 0; h < hinges->count; ++h) {
    for (uint32_t k = 0; k < 4; ++k) {
      if (hinges->coefficient[h][k] == 0.0f) continue;
      const uint32_t other = part_near(c->scene, hinges->particle[h][k], part);
      if (k > 0) weft__unite(c->root, part, other);
      part = other;
    }
    c->parts[part].has_bends = true;
  }
}

static void join_gas(const chooser* c) {
  for (size_t g = 0; g < c->scene->pressure_count; ++g) {
    const weft__pressure_body* gas = &c->scene->pressures[g];
    for (size_t p = gas->first_part + 1; p < gas->end_part; ++p)
      weft__unite(c->root, (uint32_t)gas->first_part, (uint32_t)p);
    c->parts[gas->first_part].has_gas = true;
  }
}

static bool is_cloth(const weft__part* part) {
  return part->columns > 0 || part->triangle_count > 0;
}

// The direct solver leaves a link to the sweeps, or it may tear. Links of trees join two sets of
// particles: another one would close a loop; pins cut trees.
static bool is_swept_link(const chooser* c, uint32_t link) {
  const weft__links* links = &c->scene->links;
  const uint32_t a = links->end_a[link], b = links->end_b[link];
  const float* inverse_masses = c->scene->inverse_masses;
  if (links->kind[link] != WEFT_LINK_STRUCTURAL || links->relaxation[link] < 1.0f ||
      links->tear_ratio[link] > 0.0f || weft__links_mode(links, link) != WEFT_LINK_MODE_BOTH)
    return true;
  const bool is_free = inverse_masses[a] > 0.0f && inverse_masses[b] > 0.0f;
  return is_free && !weft__unite(c->joined, a, b);
}

static void summarize_links(const chooser* c) {
  const weft__links* links = &c->scene->links;
  uint32_t p = 0;
  for (uint32_t i = 0; i < links->count; ++i) {
    p = part_near(c->scene, links->end_a[i], p);
    c->parts[p].has_any = true;
    weft__unite(c->root, p, part_near(c->scene, links->end_b[i], p));
    c->parts[p].is_swept |= is_cloth(&c->scene->parts[p]) || is_swept_link(c, i);
    if (links->kind[i] != WEFT_LINK_STRUCTURAL) continue;
    part_links* own = &c->parts[p];
    own->length += (double)links->rest_length[i];
    ++own->count;
    own->is_rigid &= links->compliance[i] == 0.0f && links->tear_ratio[i] == 0.0f;
    own->is_elastic |= links->compliance[i] > 0.0f;
  }
}

static void find_contacts(const chooser* c) {
  for (uint32_t r = 0; r < c->scene->shape_run_count; ++r) {
    const weft__shape_run* run = &c->scene->shape_runs[r];
    const bool collides = run->shape.collision != WEFT_COLLISION_NONE &&
                          run->shape.shape == WEFT_PARTICLE_SHAPE_CLOTH;
    const uint32_t end = run->first + run->count;
    for (size_t p = weft__scene_part_of(c->scene, run->first);
         collides && p < c->scene->part_count && c->scene->parts[p].first_particle < end; ++p)
      c->bodies[weft__find_root(c->root, (uint32_t)p)].collides |= is_cloth(&c->scene->parts[p]);
  }
}

// Bend and twist of rods depend on the length of a substep.
static void find_rods(const chooser* c) {
  const weft_scene* scene = c->scene;
  for (uint32_t r = 0; r < scene->rod_count; ++r)
    c->parts[weft__scene_part_of(scene, scene->rods[r].first_particle)].is_swept = true;
}

static void summarize(const chooser* c) {
  const weft_scene* scene = c->scene;
  for (uint32_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    c->root[p] = p;
    c->parts[p].is_rigid = true;
    for (uint32_t i = 0; i < part->particle_count; ++i)
      c->parts[p].pins += scene->inverse_masses[part->first_particle + i] == 0.0f;
  }
  for (uint32_t i = 0; i < scene->particle_count; ++i) c->joined[i] = i;
  summarize_links(c);
  find_rods(c);
  join_hinges(c);
  join_gas(c);
  find_contacts(c);
  for (uint32_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    const part_links* links = &c->parts[p];
    body* own = &c->bodies[weft__find_root(c->root, p)];
    const bool is_elastic_cloth = is_cloth(part) && !part->fine_only && links->is_elastic;
    own->has_links |= links->has_any;
    own->has_meshes |= part->columns == 0;
    own->has_bends |= links->has_bends;
    own->has_plates |= links->has_bends && part->columns == 0;
    own->has_gas |= links->has_gas;
    own->is_other |= !is_cloth(part) || !links->is_rigid || links->has_gas || part->is_reserved;
    own->is_swept |= is_cloth(part) || links->is_swept || links->has_bends || links->has_gas ||
                     part->is_reserved;
    own->particles += part->particle_count;
    own->pins += links->pins;
    own->is_soft |= is_elastic_cloth && part->columns > 0;
    // an elastic mesh, or elastic cloth with bend elements
    own->is_measured |= is_elastic_cloth && (part->columns == 0 || links->has_bends);
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

static uint32_t substeps_for(const weft_world_def* def, const body* own) {
  if (!own->has_links) return 1;
  const int64_t draft = def->solver.quality == WEFT_QUALITY_DRAFT ? 2 : 1;
  const int64_t soft_length = own->is_soft || own->collides ? SUBSTEP_NS / 2 : SUBSTEP_NS;
  const int64_t measured_length = own->has_gas ? SUBSTEP_NS : ELASTIC_SUBSTEP_NS;
  const int64_t length = draft * (own->is_measured ? measured_length : soft_length);
  const int64_t usual = own->collides ? 2 * MAX_AUTO_SUBSTEPS : MAX_AUTO_SUBSTEPS;
  const int64_t limit = own->is_measured ? MAX_ELASTIC_SUBSTEPS : usual;
  const int64_t wanted = (def->step_ns + length - 1) / length;
  return (uint32_t)(wanted < limit ? wanted : limit);
}

// Sweeps of cloth of measured stiffness.
static uint32_t measured_iterations(const weft_world_def* def, const body* own) {
  if (def->solver.substeps != WEFT_AUTO) return LONG_ELASTIC_ITERATIONS;
  return own->has_gas ? GAS_ITERATIONS : ELASTIC_ITERATIONS;
}

// True if attachments can hold a part.
static bool is_anchored(const part_links* links) {
  return links->pins > 0 && links->is_rigid;
}

// Strain by which its body's sweeps let a part sag, and its limit. 0: nothing to sag
static double sag_of(const chooser* c, uint32_t p, double* limit) {
  const weft_world_def* def = c->def;
  const weft__part* part = &c->scene->parts[p];
  const part_links* links = &c->parts[p];
  const body* own = &c->bodies[weft__find_root(c->root, p)];
  const bool is_attached = def->solver.attachments > 0 && is_anchored(links);
  if (!is_cloth(part) || is_attached || part->fine_only || links->count == 0) return 0.0;
  const bool is_measured = links->is_elastic && own->is_measured;
  // elastic sheets hang by levels unless few sweeps would do
  const uint32_t few = own->is_soft ? 1 : ITERATIONS;
  const uint32_t others = def->solver.iterations == WEFT_AUTO ? few : def->solver.iterations;
  const uint32_t sweeps = is_measured ? measured_iterations(def, own) : others;
  *limit = is_measured ? MAX_ELASTIC_SAG : MAX_SAG;
  return sag_of_sweeps(part, links, def, sweeps * own->substeps);
}

// True if the direct solver may hold a part: its links close no loop.
static bool is_solved_directly(const weft_world_def* def, const weft__part* part,
                               const part_links* links) {
  return def->solver.direct_iterations > 0 && links->count < part->particle_count;
}

static void choose_attachments(const chooser* c, weft__part* parts) {
  bool any = false;
  for (uint32_t p = 0; p < c->scene->part_count; ++p) {
    const part_links* links = &c->parts[p];
    body* own = &c->bodies[weft__find_root(c->root, p)];
    own->is_attached |= links->count > 0 && is_anchored(links) &&
                        !is_solved_directly(c->def, &c->scene->parts[p], links);
    any |= own->is_attached;
  }
  for (uint32_t p = 0; p < c->scene->part_count; ++p)
    parts[p].is_unattached = !c->bodies[weft__find_root(c->root, p)].is_attached;
  c->def->solver.attachments = any && !c->def->loads ? AUTO_ATTACHMENTS : 0;
}

// True if the sweeps are left open, which adaption decides.
static bool may_adapt(const weft_world_def* def) {
  return def->solver.iterations == WEFT_AUTO && def->solver.coarse_iterations == WEFT_AUTO &&
         def->solver.tolerance == 0.0f && def->solver.sweeps == WEFT_SWEEPS_SYMMETRIC &&
         weft__stages_check(true, WEFT__SERVES_RATES, "").error == WEFT_OK;
}

// Cloth held at few particles needs all substeps there, even at rest; cloth held all around
// trembles in long ones.
static weft__adaption adaption_of(const chooser* c, const body* own) {
  const weft_solver_def* solver = &c->def->solver;
  if (!c->adapts || solver->substeps != WEFT_AUTO || c->def->loads) return WEFT__ADAPT_NOT;
  if (own->has_links && !own->is_swept && solver->direct_iterations > 0) return WEFT__ADAPT_TREES;
  if (own->is_other || own->has_plates) return WEFT__ADAPT_NOT;
  if (own->pins == 0) return WEFT__ADAPT_LOOSE;
  const double load = (double)own->particles / own->pins;
  const double side = sqrt((double)own->particles);
  if (solver->attachments == 0 || load < MIN_LOAD * side || load > MAX_LOAD * side)
    return WEFT__ADAPT_NOT;
  return load < MIN_LEVEL_LOAD ? WEFT__ADAPT_HUNG : WEFT__ADAPT_HUNG_ON_LEVELS;
}

// Substeps and sweeps of each body.
static void choose_rates(const chooser* c) {
  const weft_world_def* def = c->def;
  const bool is_open =
      def->solver.iterations == WEFT_AUTO && def->solver.coarse_iterations == WEFT_AUTO;
  uint32_t largest = 1;
  for (uint32_t p = 0; p < c->scene->part_count; ++p) {
    body* own = &c->bodies[p];
    if (c->root[p] != p) continue;
    own->is_measured &= is_open && !def->solver.springs;
    own->substeps =
        def->solver.substeps == WEFT_AUTO ? substeps_for(def, own) : def->solver.substeps;
    const uint32_t swept = own->is_soft ? SOFT_ITERATIONS : ITERATIONS;
    const uint32_t chosen = own->is_measured ? measured_iterations(def, own) : swept;
    own->iterations = def->solver.iterations == WEFT_AUTO ? chosen : def->solver.iterations;
    own->adaption = adaption_of(c, own);
    own->sweeps_adapt = c->adapts && !own->has_meshes && !own->is_other;
    if (def->solver.quality == WEFT_QUALITY_EXACT) {
      own->sags = own->adaption == WEFT__ADAPT_HUNG_ON_LEVELS;
      own->adaption = WEFT__ADAPT_NOT;
    }
    if (own->substeps > largest) largest = own->substeps;
  }
  // meshes' bends are factored for one length of the substep
  for (uint32_t p = 0; p < c->scene->part_count; ++p) {
    if (c->bodies[p].has_plates) c->bodies[p].substeps = largest;
  }
}

// Levels for bodies that sag without them.
static void choose_levels(const chooser* c, weft__part* parts) {
  weft_world_def* def = c->def;
  if (def->solver.coarse_iterations != WEFT_AUTO) return;
  bool any = false;
  for (uint32_t p = 0; p < c->scene->part_count && !def->loads; ++p) {
    body* own = &c->bodies[weft__find_root(c->root, p)];
    double limit = 0.0;
    own->sags |= sag_of(c, p, &limit) > limit;
    any |= own->sags || own->adaption == WEFT__ADAPT_HUNG_ON_LEVELS;
  }
  for (uint32_t p = 0; p < c->scene->part_count && any; ++p) {
    const body* own = &c->bodies[weft__find_root(c->root, p)];
    parts[p].fine_only |= !own->sags && own->adaption != WEFT__ADAPT_HUNG_ON_LEVELS;
  }
  def->solver.coarse_iterations = any ? LEVEL_ITERATIONS : 0;
}

static uint32_t group_of(weft__rate_groups* groups, const weft__rate_group* wanted) {
  uint32_t g = 0;
  while (g < groups->count && (groups->of[g].substeps != wanted->substeps ||
                               groups->of[g].iterations != wanted->iterations ||
                               groups->of[g].on_levels != wanted->on_levels ||
                               groups->of[g].sweeps_adapt != wanted->sweeps_adapt ||
                               groups->of[g].adaption != wanted->adaption))
    ++g;
  if (g == groups->count) groups->of[groups->count++] = *wanted;
  return g;
}

static weft_settings_reason reason_of(const chooser* c, uint32_t p, const body* own) {
  const part_links* links = &c->parts[p];
  if (!own->has_links) return WEFT_SETTINGS_REASON_LOOSE;
  if (own->is_measured) return WEFT_SETTINGS_REASON_MEASURED;
  if (own->is_soft) return WEFT_SETTINGS_REASON_ELASTIC;
  if (is_solved_directly(c->def, &c->scene->parts[p], links)) return WEFT_SETTINGS_REASON_DIRECT;
  if (own->sags) return WEFT_SETTINGS_REASON_SAGS;
  const bool is_hung = c->def->solver.attachments > 0 && is_anchored(links);
  return is_hung ? WEFT_SETTINGS_REASON_HUNG : WEFT_SETTINGS_REASON_SWEEPS;
}

static void list_bodies(const chooser* c, weft__solver_choice* choice) {
  const weft_world_def* def = c->def;
  for (uint32_t p = 0; p < c->scene->part_count; ++p) {
    const body* own = &c->bodies[weft__find_root(c->root, p)];
    weft_body_settings* settings = &choice->bodies[p];
    double limit = 0.0;
    const bool on_levels = c->levels_are_given || own->sags;
    const weft__rate_group group = {own->substeps, own->iterations, on_levels, own->sweeps_adapt,
                                    own->adaption};
    choice->parts[p].patch_key = group_of(&choice->groups, &group);
    settings->substeps = own->substeps;
    settings->iterations = own->iterations;
    settings->coarse_iterations = choice->parts[p].fine_only ? 0 : def->solver.coarse_iterations;
    const bool is_held = is_anchored(&c->parts[p]) && !choice->parts[p].is_unattached;
    settings->attachments = is_held ? def->solver.attachments : 0;
    settings->reason = reason_of(c, p, own);
    settings->sag = settings->coarse_iterations > 0 ? 0.0f : (float)sag_of(c, p, &limit);
  }
}

// Numbers of the world, and whether they say all.
static void conclude(const chooser* c, weft__solver_choice* choice) {
  weft_world_def* def = c->def;
  def->solver.substeps = def->solver.iterations = 0;
  for (uint32_t g = 0; g < choice->groups.count; ++g) {
    const weft__rate_group* group = &choice->groups.of[g];
    if (group->substeps > def->solver.substeps) def->solver.substeps = group->substeps;
    if (group->iterations > def->solver.iterations) def->solver.iterations = group->iterations;
    choice->bodies_differ |= g > 0 || weft__rate_group_adapts(group);
  }
  for (size_t p = 0; p < c->scene->part_count; ++p) {
    const bool is_free = choice->parts[p].is_unattached && c->parts[p].pins > 0;
    choice->bodies_differ |= choice->parts[p].fine_only != c->scene->parts[p].fine_only ||
                             (is_free && def->solver.attachments > 0);
  }
}

static bool leaves_choice(const weft_world_def* def) {
  return def->solver.iterations == WEFT_AUTO || def->solver.coarse_iterations == WEFT_AUTO ||
         def->solver.substeps == WEFT_AUTO || def->solver.attachments == WEFT_AUTO;
}

static bool choose(weft_world_def* def, const weft_scene* scene, weft__solver_choice* choice) {
  chooser c = {.scene = scene,
               .def = def,
               .parts = weft__alloc_zeroed(scene->part_count, sizeof(*c.parts)),
               .root = weft__alloc(scene->part_count, sizeof(*c.root)),
               .joined = weft__alloc(scene->particle_count, sizeof(*c.joined)),
               .bodies = weft__alloc_zeroed(scene->part_count, sizeof(*c.bodies)),
               .levels_are_given = def->solver.coarse_iterations != WEFT_AUTO,
               .adapts = may_adapt(def)};
  const bool good = c.parts != NULL && c.root != NULL && c.joined != NULL && c.bodies != NULL;
  if (good) {
    summarize(&c);
    if (def->solver.attachments == WEFT_AUTO) choose_attachments(&c, choice->parts);
    choose_rates(&c);
    choose_levels(&c, choice->parts);
    list_bodies(&c, choice);
    conclude(&c, choice);
  }
  weft__free(c.parts);
  weft__free(c.root);
  weft__free(c.joined);
  weft__free(c.bodies);
  return good;
}

static void count_bends(const weft_scene* scene, weft_body_settings* bodies) {
  uint32_t part = 0;
  for (uint32_t h = 0; h < scene->hinges.count; ++h) {
    part = part_near(scene, scene->hinges.particle[h][0], part);
    ++bodies[part].bend_count;
  }
}

static void list_given(const weft_world_def* def, const weft_scene* scene,
                       weft__solver_choice* choice) {
  for (size_t p = 0; p < scene->part_count; ++p) {
    weft_body_settings* settings = &choice->bodies[p];
    settings->substeps = def->solver.substeps;
    settings->iterations = def->solver.iterations;
    settings->coarse_iterations = scene->parts[p].fine_only ? 0 : def->solver.coarse_iterations;
    settings->attachments = def->solver.attachments;
  }
  const weft__rate_group group = {def->solver.substeps, def->solver.iterations, .on_levels = true};
  (void)group_of(&choice->groups, &group);
}

bool weft__choose_solver(weft_world_def* def, const weft_scene* scene,
                         weft__solver_choice* choice) {
  const size_t count = scene->part_count;
  *choice = (weft__solver_choice){.parts = weft__alloc(count, sizeof(*choice->parts)),
                                  .bodies = weft__alloc_zeroed(count, sizeof(*choice->bodies))};
  if (choice->parts == NULL || choice->bodies == NULL) return false;
  memcpy(choice->parts, scene->parts, count * sizeof(*choice->parts));
  for (size_t p = 0; p < count; ++p) {
    choice->bodies[p].first_particle = scene->parts[p].first_particle;
    choice->bodies[p].particle_count = scene->parts[p].particle_count;
  }
  count_bends(scene, choice->bodies);
  if (leaves_choice(def)) return choose(def, scene, choice);
  list_given(def, scene, choice);
  return true;
}

void weft__solver_choice_free(weft__solver_choice* choice) {
  weft__free(choice->parts);
  weft__free(choice->bodies);
}
