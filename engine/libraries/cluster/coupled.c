#include "libraries/cluster/coupled.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "libraries/cluster/cluster.h"
#include "libraries/cluster/synchronize.h"

weft__particle_set weft__coupled_tree(const weft__stepper* stepper, uint32_t tree) {
  const weft__trees* trees = weft__trees_of(stepper);
  const uint32_t first = trees->first_node[tree];
  return (weft__particle_set){trees->particle + first, trees->first_node[tree + 1] - first};
}

static weft__particle_set list_mesh(const weft__stepper* stepper, uint32_t index) {
  const weft__mesh_bends* bends = weft__mesh_bends_of(&stepper->stages);
  const weft__bend_mesh* mesh = &bends->meshes[index];
  return (weft__particle_set){bends->particle + mesh->first_vertex, mesh->vertex_count};
}

weft__particle_set weft__coupled_body(const weft__stepper* stepper, uint32_t index) {
  const weft__pressures* pressures = &stepper->forces.pressures;
  const weft__pressure* body = &pressures->pressures[index];
  return (weft__particle_set){pressures->particles + body->first_particle,
                              body->end_particle - body->first_particle};
}

static weft__particle_set list_joint(const weft__stepper* stepper, uint32_t index) {
  const weft__joint* joint = &stepper->joints.joints[index];
  return (weft__particle_set){joint->particle,
                              joint->state == WEFT__JOINT_FREE ? 0 : joint->end_count};
}

static bool allocate(weft__coupled* coupled, uint32_t count) {
  coupled->solves = weft__alloc_zeroed(count, sizeof(*coupled->solves));
  coupled->home = weft__alloc(count, sizeof(*coupled->home));
  return coupled->solves != NULL && coupled->home != NULL;
}

static void assign_sets(const weft_cluster* cluster, weft__coupled* coupled, uint32_t count,
                        weft__coupled_list* list) {
  const weft__range own = cluster->domain.particles;
  for (uint32_t s = 0; s < count; ++s) {
    const weft__particle_set set = list(&cluster->world->stepper, s);
    uint32_t lowest = UINT32_MAX;
    coupled->solves[s] = 0;
    for (uint32_t k = 0; k < set.count; ++k) {
      const uint32_t i = set.particles[k];
      if (i < lowest) lowest = i;
      if (weft__range_has(own, i)) coupled->solves[s] = 1;
    }
    coupled->home[s] = set.count > 0 ? weft__division_rank(&cluster->cloth, lowest) : WEFT__NONE;
  }
}

// good: this rank has the memory
static bool create_halo(weft_cluster* cluster, weft__coupled* coupled, uint32_t count,
                        weft__coupled_list* list, bool good) {
  const weft__stepper* stepper = &cluster->world->stepper;
  uint8_t* marks = good ? weft__alloc_zeroed(stepper->particles.count, 1) : NULL;
  for (uint32_t s = 0; s < count && marks != NULL; ++s) {
    if (coupled->solves[s] == 0) continue;
    const weft__particle_set set = list(stepper, s);
    for (uint32_t k = 0; k < set.count; ++k) marks[set.particles[k]] = 1;
  }
  const bool made = weft__halo_create(&coupled->halo, &cluster->mailbox, &cluster->common, marks,
                                      cluster->cloth.first_particle);
  weft__free(marks);
  return made;
}

static bool create_sets(weft_cluster* cluster, weft__coupled* coupled, uint32_t count,
                        weft__coupled_list* list) {
  if (count == 0) return true;
  const bool good = allocate(coupled, count);
  if (good) assign_sets(cluster, coupled, count, list);
  return create_halo(cluster, coupled, count, list, good);
}

bool weft__coupled_create(weft_cluster* cluster) {
  const weft__stepper* stepper = &cluster->world->stepper;
  const weft__mesh_bends* bends = weft__mesh_bends_of(&stepper->stages);
  const weft__pressures* pressures = &stepper->forces.pressures;
  const uint32_t meshes = bends->hinge_count > 0 ? bends->mesh_count : 0;
  return create_sets(cluster, &cluster->trees, weft__trees_of(stepper)->tree_count,
                     weft__coupled_tree) &&
         create_sets(cluster, &cluster->meshes, meshes, list_mesh) &&
         create_sets(cluster, &cluster->bodies, pressures->count, weft__coupled_body);
}

void weft__coupled_destroy(weft__coupled* coupled) {
  weft__halo_destroy(&coupled->halo);
  weft__free(coupled->solves);
  weft__free(coupled->home);
  *coupled = (weft__coupled){0};
}

// Joints that share a particle. joint_of: scratch [particle_count]
static void unite_joints(const weft__stepper* stepper, uint32_t* parent, uint32_t* joint_of) {
  for (uint32_t i = 0; i < stepper->particles.count; ++i) joint_of[i] = WEFT__NONE;
  for (uint32_t j = 0; j < stepper->joints.end; ++j) {
    const weft__particle_set set = list_joint(stepper, j);
    parent[j] = j;
    for (uint32_t k = 0; k < set.count; ++k) {
      uint32_t* other = &joint_of[set.particles[k]];
      if (*other == WEFT__NONE) *other = j;
      (void)weft__unite(parent, *other, j);
    }
  }
}

static void join_sets(weft__coupled* joints, uint32_t* parent, uint32_t count) {
  for (uint32_t j = 0; j < count; ++j) {
    const uint32_t root = weft__find_root(parent, j);
    joints->solves[root] |= joints->solves[j];
    if (joints->home[j] < joints->home[root]) joints->home[root] = joints->home[j];
  }
  for (uint32_t j = 0; j < count; ++j) {
    const uint32_t root = weft__find_root(parent, j);
    joints->solves[j] = joints->solves[root];
    joints->home[j] = joints->home[root];
  }
}

static bool assign_joints(weft_cluster* cluster) {
  const weft__stepper* stepper = &cluster->world->stepper;
  const uint32_t count = stepper->joints.end;
  uint32_t* parent = weft__alloc(count, sizeof(*parent));
  uint32_t* joint_of = weft__alloc(stepper->particles.count, sizeof(*joint_of));
  const bool good = parent != NULL && joint_of != NULL;
  if (good) {
    assign_sets(cluster, &cluster->joints, count, list_joint);
    unite_joints(stepper, parent, joint_of);
    join_sets(&cluster->joints, parent, count);
  }
  weft__free(parent);
  weft__free(joint_of);
  return good;
}

static bool allocate_joints(weft_cluster* cluster) {
  const uint32_t capacity = cluster->world->stepper.joints.capacity;
  if (cluster->joints.home != NULL) return true;
  if (!allocate(&cluster->joints, capacity)) return false;
  for (uint32_t j = 0; j < capacity; ++j) cluster->joints.home[j] = WEFT__NONE;
  return true;
}

bool weft__coupled_update_joints(weft_cluster* cluster) {
  weft__joints* joints = &cluster->world->stepper.joints;
  if (joints->sorted || joints->count == 0) return true;
  const bool allocated = allocate_joints(cluster);
  if (!weft__mailbox_agree(&cluster->mailbox, &cluster->common, allocated)) return false;
  // a joint may get another home, as its patches may have
  if (!weft__cluster_synchronize_joints(cluster)) return false;
  weft__halo_destroy(&cluster->joints.halo);
  const bool good = assign_joints(cluster);
  joints->solves = cluster->joints.solves;
  return create_halo(cluster, &cluster->joints, joints->end, list_joint, good);
}
