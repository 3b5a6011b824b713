/* Bodies of many parts: ragdolls, trees, webs, balls. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "sim/file/body_makers.h"

typedef struct file_ragdoll {
  weft_ragdoll_def def;
  const tool_tree* joints;
} file_ragdoll;

#define RAGDOLL(member) offsetof(file_ragdoll, def.member)
static const sim_field ragdoll_fields[] = {
    SIM_KEY_OF(RAGDOLL, VECTOR, origin, "metres, of the ground between the feet"),
    SIM_KEY_OF(RAGDOLL, VECTOR, across, "unit vector to the right"),
    SIM_KEY_OF(RAGDOLL, VECTOR, up, "unit vector at right angles to it"),
    SIM_RANGE_OF(RAGDOLL, FLOAT, height, 1e-3, 1e3, "metres"),
    SIM_RANGE_OF(RAGDOLL, FLOAT, mass, 1e-6, 1e6, "kilograms"),
    SIM_KEY_OF(RAGDOLL, FLAG, flat, "it lies in its plane"),
    SIM_KEY("joints", LIST, offsetof(file_ragdoll, joints),
            "metres: `[x, y, z]` of each of the 15 joints of a skeleton, in the order of "
            "`weft_ragdoll_part`"),
    SIM_RANGE_OF(RAGDOLL, FLOAT, tear_ratio, 0, FLT_MAX,
                 "length / rest length at which bones break, above 1; 0 = never"),
};

static void ragdoll_defaults(void* value) {
  ((file_ragdoll*)value)->def = weft_default_ragdoll_def();
}

static const sim_table ragdoll_table = {
    "bodies: ragdoll",
    "A person that stands, or in the pose of a skeleton: the fields of `weft_ragdoll_def`. Parts: "
    "`head`, `neck`, `shoulders`, `elbows`, `hands`, `pelvis`, `hips`, `knees`, `feet`, and "
    "`hand_left`, `hand_right`, `foot_left`, `foot_right`.",
    SIM_TABLE_FIELDS(ragdoll_fields), sizeof(file_ragdoll), ragdoll_defaults};

static bool add_ragdoll(const sim_source* source, const sim_place* place, sim_body* body,
                        weft_scene* scene) {
  const file_ragdoll* ragdoll = body->def;
  const sim_place at_joints = {place, "joints", 0};
  weft_ragdoll_def def = ragdoll->def;
  uint32_t count = 0;
  float* joints = NULL;
  bool ok =
      !ragdoll->joints || sim_read_vectors(source, &at_joints, ragdoll->joints, &joints, &count);
  if (ok && joints && count != WEFT_RAGDOLL_PART_COUNT) {
    ok = sim_fault(source, &at_joints, "has %u joints, and a ragdoll has %d", count,
                   WEFT_RAGDOLL_PART_COUNT);
  }
  def.joints = joints;
  ok = ok && sim_check_body(source, place, body, weft_scene_add_ragdoll(scene, &def, &body->made));
  free(joints);
  return ok;
}

static uint64_t count_ragdoll(const sim_body* body) {
  (void)body;
  return WEFT_RAGDOLL_PARTICLE_COUNT;
}

// first to last; numbers wrap below zero
#define PART(name, first, last)                                \
  static bool in_##name(const sim_body* body, uint32_t part) { \
    (void)body;                                                \
    return part - (first) <= (last) - (first);                 \
  }

PART(head, WEFT_RAGDOLL_HEAD, WEFT_RAGDOLL_HEAD)
PART(neck, WEFT_RAGDOLL_NECK, WEFT_RAGDOLL_NECK)
PART(shoulders, WEFT_RAGDOLL_SHOULDER_LEFT, WEFT_RAGDOLL_SHOULDER_RIGHT)
PART(elbows, WEFT_RAGDOLL_ELBOW_LEFT, WEFT_RAGDOLL_ELBOW_RIGHT)
PART(hands, WEFT_RAGDOLL_HAND_LEFT, WEFT_RAGDOLL_HAND_RIGHT)
PART(hand_left, WEFT_RAGDOLL_HAND_LEFT, WEFT_RAGDOLL_HAND_LEFT)
PART(hand_right, WEFT_RAGDOLL_HAND_RIGHT, WEFT_RAGDOLL_HAND_RIGHT)
PART(pelvis, WEFT_RAGDOLL_PELVIS, WEFT_RAGDOLL_PELVIS)
PART(hips, WEFT_RAGDOLL_HIP_LEFT, WEFT_RAGDOLL_HIP_RIGHT)
PART(knees, WEFT_RAGDOLL_KNEE_LEFT, WEFT_RAGDOLL_KNEE_RIGHT)
PART(feet, WEFT_RAGDOLL_FOOT_LEFT, WEFT_RAGDOLL_FOOT_RIGHT)
PART(foot_left, WEFT_RAGDOLL_FOOT_LEFT, WEFT_RAGDOLL_FOOT_LEFT)
PART(foot_right, WEFT_RAGDOLL_FOOT_RIGHT, WEFT_RAGDOLL_FOOT_RIGHT)

static const sim_part ragdoll_parts[] = {{"head", in_head},
                                         {"neck", in_neck},
                                         {"shoulders", in_shoulders},
                                         {"elbows", in_elbows},
                                         {"hands", in_hands},
                                         {"pelvis", in_pelvis},
                                         {"hips", in_hips},
                                         {"knees", in_knees},
                                         {"feet", in_feet},
                                         {"hand_left", in_hand_left},
                                         {"foot_left", in_foot_left},
                                         {"hand_right", in_hand_right},
                                         {"foot_right", in_foot_right},
                                         {NULL, NULL}};

const sim_body_type sim_body_ragdoll = {"ragdoll",     &ragdoll_table, ragdoll_parts,
                                        count_ragdoll, NULL,           add_ragdoll};

#define TREE(member) offsetof(weft_tree_def, member)
static const sim_field tree_fields[] = {
    SIM_PLANE_FIELDS(TREE, "the base"),
    SIM_RANGE_OF(TREE, COUNT, depth, 0, 16, "times that it forks"),
    SIM_RANGE_OF(TREE, COUNT, branches, 2, 16, "at a fork"),
    SIM_RANGE_OF(TREE, FLOAT, length, 1e-6, 1e6, "metres, of the trunk"),
    SIM_RANGE_OF(TREE, FLOAT, length_ratio, 0.1, 2, "of a branch to what it grows from"),
    SIM_RANGE_OF(TREE, FLOAT, spread, 0.01, 1.5, "radians, from straight on to the outer branches"),
    SIM_RANGE_OF(TREE, FLOAT, irregularity, 0, 0.9,
                 "share by which angles and lengths differ at random"),
    SIM_RANGE_OF(TREE, COUNT, seed, 0, UINT32_MAX, "of that"),
    SIM_KEY_OF(TREE, FLAG, flat, "it grows in its plane"),
    SIM_RANGE_OF(TREE, FLOAT, mass, 1e-9, 1e9, "kilograms"),
    SIM_RANGE_OF(TREE, FLOAT, bend_compliance, 0, 1e6,
                 "metres per newton, of the trunk's supports"),
    SIM_RANGE_OF(TREE, FLOAT, softening, 1, 100,
                 "compliance of the next generation over that of this one"),
    SIM_TEAR_FIELD(TREE, "trunk and branches"),
};

SIM_BODY_OF(tree, "A tree that stands: the fields of `weft_tree_def`. Part: `leaves`, its tips.")

/* Base, growth, and at most three roots; too large a number for a tree that is too large. */
static uint64_t count_tree(const sim_body* body) {
  const weft_tree_def* def = body->def;
  uint64_t count = 2, generation = 1;
  for (uint32_t d = 0; d < def->depth && generation < UINT32_MAX; ++d) {
    generation *= def->branches;
    count += generation;
  }
  return count + (def->flat ? 2 : 3);
}

static bool in_leaves(const sim_body* body, uint32_t particle) {
  uint32_t first = 0, count = 0;
  return weft_tree_get_leaves(body->def, &first, &count).error == WEFT_OK && particle >= first &&
         particle - first < count;
}

static const sim_part tree_parts[] = {{"leaves", in_leaves}, {NULL, NULL}};

const sim_body_type sim_body_tree = {"tree", &tree_table, tree_parts, count_tree, NULL, add_tree};

#define WEB(member) offsetof(weft_web_def, member)
static const sim_field web_fields[] = {
    SIM_PLANE_FIELDS(WEB, "the hub"),
    SIM_RANGE_OF(WEB, FLOAT, radius, 1e-6, 1e6, "metres, to the pins"),
    SIM_RANGE_OF(WEB, COUNT, radials, 3, 10000, "threads from the hub outwards"),
    SIM_RANGE_OF(WEB, COUNT, rings, 1, 10000, "rings, or turns of the spiral"),
    SIM_KEY_OF(WEB, FLAG, spiral, "one thread, where rings are closed"),
    SIM_RANGE_OF(WEB, FLOAT, tension, 0, 0.9, "share by which threads are shorter than drawn"),
    SIM_RANGE_OF(WEB, FLOAT, mass_per_metre, 1e-9, 1e9, "kilograms per metre of thread"),
    SIM_RANGE_OF(WEB, FLOAT, compliance, 0, 1e6,
                 "1/newtons: share of its length that a thread gives way to a newton"),
    SIM_TEAR_FIELD(WEB, "threads"),
};

SIM_BODY_OF(web,
            "A spider's web, its hub first: the fields of `weft_web_def`. Part: `pins`, the outer "
            "ends.")

static uint64_t count_web(const sim_body* body) {
  const weft_web_def* def = body->def;
  return 1 + (uint64_t)def->radials * ((uint64_t)def->rings + 1);
}

static bool in_pins(const sim_body* body, uint32_t particle) {
  return particle >= body->made.particle_count - ((const weft_web_def*)body->def)->radials;
}

static const sim_part web_parts[] = {{"pins", in_pins}, {NULL, NULL}};

const sim_body_type sim_body_web = {"web", &web_table, web_parts, count_web, NULL, add_web};

#define BALL(member) offsetof(weft_ball_def, member)
static const sim_field ball_fields[] = {
    SIM_KEY_OF(BALL, VECTOR, origin, "metres, of the centre"),
    SIM_RANGE_OF(BALL, FLOAT, radius, 1e-4, 1e4, "metres"),
    SIM_RANGE_OF(BALL, COUNT, level, 0, 5,
                 "times that the triangles of an icosahedron are divided in four"),
    SIM_RANGE_OF(BALL, FLOAT, mass, 1e-6, 1e6, "kilograms"),
    SIM_RANGE_OF(BALL, FLOAT, stretch_stiffness, 1e-6, (double)INFINITY, "newtons per metre"),
    SIM_RANGE_OF(BALL, FLOAT, bend_stiffness, 0, FLT_MAX, "newton metres"),
    SIM_TEAR_FIELD(BALL, "links"),
    SIM_CONTACT_FIELDS(BALL, "0.55 of the mean edge, at most 0.02 of the radius"),
};

SIM_BODY_OF(ball, "A hollow ball, which `pressure` fills with gas: the fields of `weft_ball_def`.")

static uint64_t count_ball(const sim_body* body) {
  return 10 * (UINT64_C(1) << (2 * ((const weft_ball_def*)body->def)->level)) + 2;
}

const sim_body_type sim_body_ball = {"ball", &ball_table, NULL, count_ball, NULL, add_ball};
