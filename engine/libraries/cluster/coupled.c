#include "libraries/cluster/coupled.h"

#include <string.h>

#include "base/memory.h"
#include "base/union_find.h"
#include "libraries/cluster/cluster.h"
#include "libraries/cluster/synchronize.h"
#include "solvers/joints/joints.h"

static bool allocate(weft__stage_halo* halo, uint32_t set_count) {
  halo->solves = weft__alloc_zeroed(set_count, sizeof(*halo->solves));
  halo->home = weft__alloc(set_count, sizeof(*halo->home));
  return halo->solves != NULL && halo->home != NULL;
}

static void assign_sets(const weft_cluster* cluster, weft__stage_halo* halo) {
  const weft__range own = cluster->domain.particles;
  const uint32_t count = halo->rows->set_count(halo->table);
  for (uint32_t s = 0; s < count; ++s) {
    const weft__particle_set set = halo->rows->set(halo->table, s);
    uint32_t lowest = UINT32_MAX;
    halo->solves[s] = 0;
    for (uint32_t k = 0; k < set.count; ++k) {
      const uint32_t i = set.particles[k];
      if (i < lowest) lowest = i;
      if (weft__range_has(own, i)) halo->solves[s] = 1;
    }
    halo->home[s] = set.count > 0 ? weft__division_rank(&cluster->cloth, lowest) : WEFT__NONE;
  }
}

static void mark_sets(const weft__stage_halo* halo, uint8_t* marks) {
  const uint32_t count = halo->rows->set_count(halo->table);
  for (uint32_t s = 0; s < count; ++s) {
    if (halo->solves[s] == 0) continue;
    const weft__particle_set set = halo->rows->set(halo->table, s);
    for (uint32_t k = 0; k < set.count; ++k) marks[set.particles[k]] = 1;
  }
}

// good: this rank has the memory
static bool create_lists(weft_cluster* cluster, weft__stage_halo* halo, bool good) {
  const uint32_t count = cluster->world->stepper.particles.count;
  uint8_t* marks = good ? weft__alloc_zeroed(count, 1) : NULL;
  if (marks != NULL && halo->rows->mark != NULL) {
    halo->rows->mark(halo->table, &cluster->domain, marks);
  } else if (marks != NULL) {
    mark_sets(halo, marks);
  }
  const bool made = weft__halo_create(&halo->lists, &cluster->mailbox, &cluster->common, marks,
                                      cluster->cloth.first_particle);
  weft__free(marks);
  return made;
}

bool weft__stage_halo_create(weft_cluster* cluster, weft__stage_halo* halo) {
  const weft__halo_rows* rows = halo->rows;
  if (rows->set_count == NULL) return create_lists(cluster, halo, true);
  const uint32_t count = rows->set_count(halo->table);
  if (count == 0) return true;
  const bool good = allocate(halo, count);
  if (good) assign_sets(cluster, halo);
  return create_lists(cluster, halo, good);
}

void weft__stage_halo_destroy(weft__stage_halo* halo) {
  weft__halo_destroy(&halo->lists);
  weft__free(halo->solves);
  weft__free(halo->home);
  *halo = (weft__stage_halo){0};
}

void weft__stage_halo_apply(const weft__stage_halo* halo) {
  const uint8_t* solves = halo->solves;
  if (halo->rows->set_count == NULL) return;
  memcpy((char*)halo->table + halo->rows->solves, &solves, sizeof(solves));
}

// Joints that share a particle. joint_of: scratch, WEFT__NONE each [particle_count]
static void unite_joints(weft__joints* joints, uint32_t* parent, uint32_t* joint_of) {
  for (uint32_t j = 0; j < joints->end; ++j) {
    const weft__particle_set set = weft__joint_rows.set(joints, j);
    parent[j] = j;
    for (uint32_t k = 0; k < set.count; ++k) {
      uint32_t* other = &joint_of[set.particles[k]];
      if (*other == WEFT__NONE) *other = j;
      (void)weft__unite(parent, *other, j);
    }
  }
}

static void join_sets(weft__stage_halo* joints, uint32_t* parent, uint32_t count) {
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
    assign_sets(cluster, &cluster->joints);
    for (uint32_t i = 0; i < stepper->particles.count; ++i) joint_of[i] = WEFT__NONE;
    unite_joints(&cluster->world->stepper.joints, parent, joint_of);
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
  cluster->joints.rows = &weft__joint_rows;
  cluster->joints.table = joints;
  const bool allocated = allocate_joints(cluster);
  if (!weft__mailbox_agree(&cluster->mailbox, &cluster->common, allocated)) return false;
  // a joint may get another home, as its patches may have
  if (!weft__cluster_synchronize_joints(cluster)) return false;
  weft__halo_destroy(&cluster->joints.lists);
  const bool good = assign_joints(cluster);
  weft__stage_halo_apply(&cluster->joints);
  return create_lists(cluster, &cluster->joints, good);
}
