/* Continuous collision detection (CCD) of faces and edges: cloth never passes through cloth, nor do
 * ropes, whose links are edges without faces: strands.h.
 *
 * Each particle is taken to move on a straight line from its start to its end. Tunnelling needs a
 * vertex that passes a face, or an edge that passes an edge (Provot 1997), so these feature pairs
 * are tested. One pass covers all substeps since the last one: due.c. Velocities change as if its
 * corrections had been spread evenly over them: weft__ccd_move().
 *
 *   active octets  clusters that a round visits                     active.c
 *   displacement   of each cluster of 16 faces since its lists were made
 *                                                                  displacement.c, positions.h
 *   broad phase    BVH over moving AABBs of clusters                broad_phase.c, traversal.c
 *   culling        of cluster pairs, by a flatness certificate or a separating plane
 *                                                                  separating_plane.c, flatness.h
 *   candidates     feature pairs of the cluster pairs that remain: AABBs, then planes, by
 *                  a kernel                                       candidates.c, features.h
 *   narrow phase   time of impact of feature pairs, by conservative advancement
 *                             narrow_phase.c, pair_tests.c, modules/ccd/time_of_impact.inl
 *   solve          hits as position constraints, momentum-conserving, with Coulomb friction;
 *                  12 rounds, each from displacement on            solve.c
 *   edge limits    edges that these stretch, in the same sweeps    edge_limits.c
 *   impact zones   hits that remain move as one; 32 rounds         impact_zones.c
 *   colliders      push out particles that the pass has moved into them; then from solve on, where
 *                  hits leave held particles in place; 3 times     ccd.c
 *   roll back      hits that still remain return, with their zone, to the start of the pass;
 *                  16 rounds; then with all clusters connected to it, 3 rounds; then all
 *
 *   Theorem. If no edge crosses a face when a pass begins, none does when it ends.
 *   Proof. A pass ends when no pair comes closer than its gap, which is above 0, along the straight
 *   paths from start to end, or moves as one with a zone: none has passed. It does end: each round
 *   rolls back a particle that was not, as pairs that are rolled back whole do not move; at worst
 *   all particles are, and nothing intersects at the start. []
 *
 * Pairs that touch. A pair that starts closer than its gap has a gap of 0.9 of that distance. One
 * that starts at distance 0, or below the resolution of positions (modules/ccd/toi_batch.h), has no
 * side and is not tested: any change of such a distance is rounding, and would roll back all that
 * moves. Triangles without area, T-junctions and doubled vertices have such pairs for good. The
 * theorem does not hold for them. Above the resolution the gap is, too, so that no pair gets there,
 * except by coordinates that grow or by the rounding of zones, which takes a tenth of it at most; a
 * hit moves the pair to twice the resolution. In a zone, rounding makes no hits.
 *
 * Excluded pairs. Pairs that share a particle are not tested, nor pairs that a weld, a joint of
 * length 0, joins: they share one as soon as it has closed. Pairs along a contour where an edge
 * crosses a face at the start, by the caller's will, may pass and are counted: cloth can untangle
 * only by motion.
 *
 * Budget. Each cluster has a number of pair tests. Degradation gives up relative motion, never the
 * theorem:
 *   1. a cluster over its budget, or without memory for its feature pairs, joins an impact zone
 *      with all clusters paired with it: nothing moves relative to the rest, no pair needs a test;
 *   2. without memory for cluster pairs, all clusters form one zone;
 *   3. once the work of the step is spent, each cluster has few tests left, and rounds are few.
 *
 * Temporal coherence. No point of a face or edge moves farther than the particle of its cluster
 * that moves farthest. Two clusters, or a feature pair of theirs, that are d farther apart than
 * their gap stay apart until their accumulated displacements add up to d; so a pile at rest costs
 * one comparison per cluster pair. A cluster is searched for again once it has left its safety
 * margin (neighbour lists of Verlet 1967). Displacements of adjacent clusters, which share a
 * particle, are relative to one of their own: common motion closes no gap.
 *
 * (Bridson, Fedkiw, Anderson 2002, "Robust treatment of collisions, contact and friction for cloth
 * animation"; Harmon, Vouga, Tamstorf, Grinspun 2008, "Robust treatment of simultaneous
 * collisions") */
#ifndef WEFT_MODULES_CCD_CCD_H
#define WEFT_MODULES_CCD_CCD_H

#include "base/archive.h"
#include "base/memory.h"
#include "collision/setup.h"
#include "modules/ccd/clusters.h"
#include "modules/ccd/flatness.h"
#include "modules/ccd/moving_aabb.h"
#include "modules/ccd/pairs.h"
#include "modules/ccd/positions.h"
#include "modules/ccd/untangle.h"

/* Budget of a cluster, a leaky bucket: pair tests at once, and pair tests refunded each pass. The
 * refund is halved after each pass that went over budget, to a sixteenth at the least, and doubled
 * after each other one. A cluster over its budget tests nothing until refunds have emptied the
 * bucket to RESUME_TESTS. A cluster of regular cloth owns eight vertices. A skirt carried at up to
 * 10 m/s needs more than 8,192 at once: see docs/contacts.md. */
#define WEFT__CCD_MAX_TESTS 32768u
#define WEFT__CCD_RESUME_TESTS 16384u
#define WEFT__CCD_PASS_TESTS 8192u
#define WEFT__CCD_MAX_HALVINGS 4

/* Pair tests of a step per vertex by which refunds of its further passes shrink to a quarter: three
 * times as many as any step of the skirt that runs has. Where all of a world has no room, budgets
 * by cluster allow steps of a second. */
#define WEFT__CCD_STEP_TESTS 256u

/* Once the work of the step (parallel/work.h) is spent, a cluster has this many tests in a pass:
 * enough for one that nothing comes near, so that it moves on. Others go over budget. */
#define WEFT__CCD_SPENT_TESTS 64u
#define WEFT__CCD_TEST_WORK 16u

/* Particles of many faces, hubs; the last ones marked as moved are known. */
#define WEFT__CCD_HUBS 8u
#define WEFT__CCD_HUB_FACES 32u

/* Substeps in a row after which a rolled-back particle counts as stuck. */
#define WEFT__CCD_STUCK 17u

/* Levels of the BVH, eight children a node. */
#define WEFT__CCD_LEVELS 11

/* Feature pair that hits, as a position constraint. */
typedef struct weft__ccd_hit {
  uint32_t particle[4];
  float weight[4];
  float normal[3]; /* at the time of impact */
  float goal;      /* metres: separation along the normal at the end of the pass */
  float pushed;    /* metres, so far: bounds friction */
  float static_friction, dynamic_friction;
  int first_count; /* particles on the first side */
  bool is_held;    /* colliders hold the side that has to move; it then gives way all the same */
  bool by_plane;   /* whole features are to be separated, not only their closest points */
} weft__ccd_hit;

/* Edge that ends at a corrected particle, and the length that it may have, metres. */
typedef struct weft__ccd_limited_edge {
  uint32_t end[2];
  float limit;
} weft__ccd_limited_edge;

/* AABB of the displacements that one worker has measured, metres. */
typedef struct weft__ccd_extent {
  _Alignas(WEFT__CACHE_LINE) float lower[3];
  float upper[3];
} weft__ccd_extent;

typedef enum weft__ccd_corrected {
  WEFT__CORRECTED = 1,
  WEFT__CORRECTED_LISTED = 2, /* its edges are listed */
} weft__ccd_corrected;

/* Particles that move as one. */
typedef struct weft__impact_zone {
  double mass_displacement[3]; /* kilogram metres, since the pass began */
  double mass_earlier[3];      /* the same before its last substep, and pushes without velocity */
  double mass;                 /* kilograms */
  bool is_pinned;              /* takes mass 1 and displacement of its first pinned particle */
  bool is_rolled_back;         /* returns to the start of the pass */
  uint8_t unused[6];           /* 0: see weft__archive_value() */
} weft__impact_zone;

/* Membership of a cluster in impact zones. */
typedef enum weft__ccd_zone_state {
  WEFT__ZONE_NONE = 0,        /* particles of it may be in a zone, by hits */
  WEFT__ZONE_WHOLE = 1,       /* all particles are in one zone */
  WEFT__ZONE_OVER_BUDGET = 2, /* so are all clusters paired with it: their pairs need no tests */
} weft__ccd_zone_state;

/* Bloom filter of clusters: see active.c. */
#define WEFT__FILTER_WORDS 8
typedef struct weft__cluster_filter {
  _Alignas(WEFT__CACHE_LINE) uint64_t word[WEFT__FILTER_WORDS];
} weft__cluster_filter;

typedef struct weft__ccd {
  bool on;
  uint32_t pair_count;     /* feature pairs in memory, after the last pass */
  uint32_t hit_count;      /* hits in the first rounds of the passes of a step */
  uint64_t rollback_count; /* particles rolled back, since creation */
  uint32_t stuck_count;    /* particles that have been rolled back for WEFT__CCD_STUCK substeps */
  uint64_t lost;           /* pairs without memory, since creation */
  uint64_t test_count;     /* pair tests in a step */
  uint32_t step_halvings;  /* halvings of refunds in this pass, by the tests of earlier ones */
  uint32_t tangled_count;  /* pairs let pass in a step, as they are tangled at the start */
  uint32_t over_budget_count; /* clusters that went over budget in a step */
  uint32_t round_count;       /* narrow phases in a step */

  /* topology */
  const weft__faces* faces;  /* the world's, or the joined ones */
  weft__faces* joined_faces; /* with strands; NULL if there are none: see strands.h */
  weft__face_edges mesh;
  weft__ccd_clusters clusters;
  uint32_t particle_count;
  uint32_t materials_version; /* that clusters were built from */
  uint32_t joints_version;    /* that pairs were searched with */
  uint32_t named_count;       /* particles that calls have named since clusters were last built */
  bool is_built;              /* clusters are, for the limits and materials of the world */

  /* motion; a pass begins where the last one ended */
  float* start[3]; /* metres: positions when the pass began [particle_count] */
  weft__ccd_positions positions;
  weft__flatness flatness;
  uint8_t* is_corrected; /* moved by this pass: 0 or weft__ccd_corrected [particle_count] */
  uint32_t* corrected;   /* particles moved by this pass; scratch [corrected_count] */
  uint32_t corrected_count;
  weft__ccd_limited_edge* limited_edge; /* their edges; scratch [limited_count] */
  uint32_t limited_count;
  uint32_t listed_particles; /* corrected particles whose edges are listed */
  float* aim[3];             /* metres: their positions before; scratch [particle_count] */
  uint8_t* is_held;          /* moved by colliders since hits were solved [particle_count] */
  float* last[3];          /* metres: positions before these colliders; scratch [particle_count] */
  uint8_t* is_rolled_back; /* its impact zone returns to the start of the pass [particle_count] */
  uint8_t* held_back;      /* substeps in a row that rolled it back, up to 255 [particle_count] */
  float* displacement;     /* metres, accumulated since all pairs were searched [cluster] */
  float* relative;         /* metres: the same of two particles of a cluster [face cluster] */
  float* pass_relative;    /* metres, in the current or last pass [face cluster] */
  float* valid_until;      /* metres of displacement: the list of its pairs is complete [cluster] */
  double* bend; /* accumulated change of its faces' derivatives: flatness.h [face cluster] */
  double* flat_valid_until; /* sum of bends around it that keeps its pairs flat [face cluster] */
  uint8_t* is_moved;        /* particles of it moved since its displacement was updated [cluster] */
  uint32_t marked_hub[WEFT__CCD_HUBS]; /* hubs whose clusters are marked as moved */
  uint8_t* is_changed; /* in this round: moved, or searched for feature pairs; scratch [cluster] */
  bool has_filters;    /* in a round that skips octets; filters of all are up to date */
  uint32_t* active;    /* octets that this round visits, ascending; scratch [octet] */
  uint32_t active_count;
  uint8_t* affected; /* bit mask of clusters that this round has to visit; scratch [octet] */
  uint8_t* is_open;  /* has hits, or work left by its last round; scratch [octet] */
  weft__cluster_filter* filter; /* clusters that its pairs depend on; scratch [octet] */
  uint32_t pass;                /* number of the current pass, from 1 */

  /* broad phase */
  weft__moving_aabbs nodes;               /* boxes of face clusters, then of eight nodes each */
  uint32_t level_first[WEFT__CCD_LEVELS]; /* in nodes */
  uint32_t level_count[WEFT__CCD_LEVELS];
  uint32_t levels;
  uint32_t* box_pass;    /* pass that its box sweeps; 0 = box at rest [face cluster] */
  uint32_t* last_search; /* number of its last broad phase; search_count + 1 = expired [cluster] */
  uint32_t search_count; /* broad phases so far */
  uint8_t* has_radius;   /* particles of it have a collision radius [cluster] */
  uint32_t* material;    /* material of all its particles; WEFT__NONE if they differ [cluster] */
  bool any_torn;         /* links are gone, so that faces may be */

  /* pairs and hits */
  weft__ccd_pairs pairs;
  weft__cluster_pair_list* pair_list; /* [cluster] */
  weft__ccd_pair* candidate;          /* scratch [worker_count][WEFT__CLUSTER_MAX_PAIRS] */
  uint32_t worker_count;
  weft__ccd_extent* extent; /* scratch [worker_count] */
  weft__ccd_hit* hit;       /* [hit_capacity] */
  uint32_t hit_capacity;
  uint32_t listed_hits; /* in this round; the others are found again in the next */

  /* impact zones: disjoint sets of particles */
  uint8_t* zone_state;     /* weft__ccd_zone_state [cluster] */
  uint32_t* zone_parent;   /* union-find, WEFT__NONE = in no zone [particle_count] */
  uint32_t* zone_particle; /* all particles in zones [zone_particle_count] */
  uint32_t zone_particle_count;
  weft__impact_zone* impact_zone; /* by root particle [particle_count] */
  uint32_t* group_parent;         /* union-find over cluster pairs [cluster] */

  weft__ccd_tangles tangles;

  uint32_t round;            /* number in this pass, from 0 */
  uint32_t last_hits;        /* in the first round of the last pass; UINT32_MAX with strands */
  uint32_t last_ccd_substep; /* substep of this step that the last pass ended; UINT32_MAX = none */

  bool is_stale;           /* all pairs have to be searched */
  bool lacks_capacity;     /* for cluster pairs: all clusters form one zone */
  uint32_t passes_lacking; /* since it was found: a search tries again now and then */
  bool has_overspent;      /* clusters of this pass are over budget */
  bool is_cut;             /* the work of the step is spent: clusters have few tests in this pass */
  bool has_pushed_zone;    /* hits push zones in this round */
  bool has_new_pairs; /* cluster pairs were found since impact zones were last joined by them */
  uint32_t octet_capacity, node_capacity; /* rows of columns */
  void* block;                            /* memory of all columns */
  size_t own_bytes;
  size_t bytes;
} weft__ccd;

extern const weft__table weft__ccd_table;

/* Turns CCD on if materials ask for it, and reserves memory by the limits. False when out of
 * memory; then nothing changes. */
bool weft__ccd_prepare(weft__ccd* ccd, const weft__contact_setup* setup);

/* Builds clusters once calls that set shapes have named as many particles as the world has, so that
 * the time is linear in the particles named; see build.c. */
void weft__ccd_name_particles(weft__ccd* ccd, const weft__contact_setup* setup,
                              weft__worker_pool* pool, uint32_t count);

/* Visits the state, with all pairs. A check replaces tables that differ from the stream's, and
 * leaves the former ones' memory to the caller. */
void weft__ccd_visit(weft__ccd* ccd, weft__archive* archive, const weft__contact_setup* setup);

void weft__ccd_destroy(weft__ccd* ccd);

/* Begins a step, before its first substep: renews clusters if materials changed, records positions.
 */
void weft__ccd_begin_step(weft__ccd* ccd, weft__step_context* step);

/* Solves colliders and the bounds again, for weft__ccd_end_substep(). */
typedef void weft__ccd_colliders(void* context, weft__step_context* step);

/* Runs a pass, if one is due, after all else of a substep has moved particles. Moves no particle
 * beyond the bounds. Where it has moved some, `colliders` push them out again, and particles that
 * they push then stay while hits are solved once more. NULL if there are none. */
void weft__ccd_end_substep(weft__ccd* ccd, weft__step_context* step, weft__ccd_colliders* colliders,
                           void* context);

#endif
