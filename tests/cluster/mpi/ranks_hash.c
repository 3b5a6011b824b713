/* Under mpirun: a world of several ranks has the hash of a world alone, straight and by a snapshot:
 * a sheet that tears, with bending, levels, attachments, substeps, wind, a collider, bounds and
 * joints; a mesh with plates, a rope, a ball under pressure, and ragdolls.
 *
 * usage: mpirun -n N ranks_hash straight|contacts|save|restore|differ FILE [COLUMNS [WORKERS]]
 *   straight   steps, and compares with a world alone
 *   contacts   the same with cloth that collides with itself and lets nothing pass, as the next two
 *   save       steps half of the way, and saves
 *   restore    restores on this number of ranks, steps the rest, and compares with a world alone
 *   differ     ranks have different defs, then different scenes: all of them get the error
 *   COLUMNS    of the sheet, default 129; WORKERS of each rank, default 2 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/mpi.h"

#define STEPS 10u

static int rank;
static bool with_contacts;
static uint32_t columns = 129, workers = 2;

static void check(weft_result result, const char* call) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "rank %d: %s: %s: %s [%" PRIu64 "]\n", rank, call, result.field,
          weft_error_text(result.error), result.index);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#define CHECK(call) check(call, #call)

enum { SIDE = 50, RAGDOLLS = 250 };

// A lattice of triangles, pinned along one side.
static void add_mesh(weft_scene* scene, const weft_material_def* material) {
  static float positions[SIDE * SIDE][3];
  static uint32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
  uint32_t count = 0;
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    positions[i][0] = 0.03f * (float)(i % SIDE);
    positions[i][1] = 2.0f;
    positions[i][2] = -0.03f * (float)(i / SIDE) - 1.0f;
    if (i % SIDE + 1 == SIDE || i / SIDE + 1 == SIDE) continue;
    const uint32_t corners[2][3] = {{i, i + SIDE, i + 1}, {i + 1, i + SIDE, i + SIDE + 1}};
    memcpy(triangles[count], corners, sizeof(corners));
    count += 2;
  }
  weft_mesh_def def = weft_default_mesh_def();
  weft_body body;
  def.positions = positions[0];
  def.vertex_count = SIDE * SIDE;
  def.triangles = triangles[0];
  def.triangle_count = count;
  def.material = material;
  CHECK(weft_scene_add_mesh(scene, &def, &body));
  CHECK(weft_scene_pin(scene, weft_range(body.first_particle, SIDE)));
}

static void add_bodies(weft_scene* scene) {
  weft_rope_def rope = weft_default_rope_def();
  rope.collision = WEFT_COLLISION_NONE;
  rope.origin[2] = 2.0f;
  rope.end[0] = 20.0f;
  rope.end[1] = 0.0f;
  rope.end[2] = 2.0f;
  rope.segments = 2600;
  rope.pin_origin = true;
  CHECK(weft_scene_add_rope(scene, &rope, NULL));
  weft_ball_def ball = weft_default_ball_def();
  ball.collision = WEFT_COLLISION_NONE;
  ball.origin[2] = 4.0f;
  ball.level = 4;
  ball.pressure = 300.0f;
  CHECK(weft_scene_add_ball(scene, &ball, NULL));
  for (uint32_t k = 0; k < RAGDOLLS; ++k) {
    weft_ragdoll_def def = weft_default_ragdoll_def();
    def.origin[0] = 1.5f * (float)(k % 20);
    def.origin[1] = -3.0f;
    def.origin[2] = 6.0f + 1.5f * (float)(k / 20);
    def.flat = false;
    CHECK(weft_scene_add_ragdoll(scene, &def, NULL));
  }
}

static weft_scene* build(uint32_t rows) {
  weft_scene* scene = NULL;
  weft_material_def material = weft_default_material_def();
  material.bend_stiffness = 1e-4f;
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = columns;
  def.rows = rows;
  def.spacing = 0.02f;
  def.tear_ratio = 1.03f;
  def.material = &material;
  CHECK(weft_scene_create(&scene));
  CHECK(weft_scene_add_sheet(scene, &def, NULL));
  CHECK(weft_scene_pin(scene, weft_range(0, 1)));
  CHECK(weft_scene_pin(scene, weft_range(def.columns - 1, 1)));
  add_mesh(scene, &material);
  add_bodies(scene);
  return scene;
}

static weft_world_def define(void) {
  weft_world_def def = weft_plain_world_def();
  def.solver.iterations = 4;
  def.solver.substeps = 2;
  def.solver.coarse_iterations = 2;
  def.solver.attachments = 2;
  def.solver.direct_bends = 10000;
  def.worker_count = workers;
  return def;
}

static void set(weft_world* world) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 8.0f;
  wind.gust = 0.5f;
  CHECK(weft_world_set_wind(world, &wind));
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = -3.05f;
  bounds.surface.static_friction = bounds.surface.dynamic_friction = 0.5f;
  CHECK(weft_world_set_bounds(world, &bounds));
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  if (with_contacts) {
    weft_world_stats stats;
    shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
    shape.half_size[0] = 0.011f;
    shape.collision = WEFT_COLLISION_EXACT;
    CHECK(weft_world_get_stats(world, &stats));
    CHECK(weft_world_set_particle_shape(world, weft_range(0, stats.particle_count), &shape));
  } else {
    shape.mask = 2;
    CHECK(weft_world_set_particle_shape(world, weft_range(0, columns), &shape));
  }
  weft_collider_def ball = weft_default_collider_def();
  weft_collider handle;
  ball.category = 2;
  ball.mask = UINT32_MAX;
  ball.radius = 0.3f;
  ball.position[0] = 0.01f * (float)columns;
  ball.position[1] = -0.1f;
  CHECK(weft_world_add_collider(world, &ball, &handle));
  for (uint32_t k = 0; k < 20; ++k) {
    weft_joint_def def = weft_default_joint_def();
    weft_joint joint;
    def.particle = 7 * k;
    def.to[0] = columns * columns / 2 + 131 * k;
    def.rest_length = 0.01f * (float)columns;
    CHECK(weft_world_add_joint(world, &def, &joint));
  }
}

// Computed by rank 0 for all.
static uint64_t hash_alone(const weft_scene* scene) {
  uint64_t hash = 0;
  const weft_world_def def = define();
  if (rank == 0) {
    weft_world* world = NULL;
    CHECK(weft_world_create(&def, scene, &world));
    set(world);
    weft_world_step(world, STEPS);
    hash = weft_world_hash(world);
    weft_world_destroy(&world);
  }
  MPI_Bcast(&hash, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return hash;
}

static int compare(weft_cluster* cluster, const weft_scene* scene) {
  CHECK(weft_cluster_synchronize(cluster));
  const uint64_t hash = weft_world_hash(weft_cluster_world(cluster));
  const uint64_t alone = hash_alone(scene);
  weft_cluster_stats stats;
  CHECK(weft_cluster_get_stats(cluster, &stats));
  printf("rank %u of %u: %016" PRIx64 ", alone %016" PRIx64 ", %" PRIu64 " messages, %" PRIu64
         " bytes\n",
         stats.rank, stats.rank_count, hash, alone, stats.messages_sent, stats.bytes_sent);
  return hash == alone ? 0 : 1;
}

static int run(const weft_transport* transport, const char* mode, const char* path) {
  const weft_world_def def = define();
  weft_scene* scene = build(columns + 2);
  weft_cluster* cluster = NULL;
  int status = 0;
  with_contacts = strcmp(mode, "straight") != 0;
  CHECK(weft_cluster_create(transport, &def, scene, &cluster));
  if (strcmp(mode, "restore") == 0) {
    CHECK(weft_mpi_restore(transport, cluster, path));
    CHECK(weft_cluster_step(cluster, STEPS - STEPS / 2));
    status = compare(cluster, scene);
  } else {
    set(weft_cluster_world(cluster));
    CHECK(weft_cluster_step(cluster, STEPS / 2));
    if (strcmp(mode, "save") == 0) {
      CHECK(weft_mpi_save(transport, cluster, path));
    } else {
      CHECK(weft_cluster_step(cluster, STEPS - STEPS / 2));
      status = compare(cluster, scene);
    }
  }
  weft_cluster_destroy(&cluster);
  weft_scene_destroy(&scene);
  return status;
}

// True if the call fails on this rank with this field.
static bool fails(const weft_transport* transport, const weft_world_def* def,
                  const weft_scene* scene, const char* field) {
  weft_cluster* cluster = NULL;
  const weft_result result = weft_cluster_create(transport, def, scene, &cluster);
  weft_cluster_destroy(&cluster);
  return result.error == WEFT_ERROR_FOREIGN && strcmp(result.field, field) == 0;
}

static int run_differing(const weft_transport* transport) {
  weft_world_def def = define();
  weft_scene* scene = build(40);
  weft_scene* other = build(transport->rank == 0 ? 40 : 41);
  bool good = fails(transport, &def, other, "scene");
  def.solver.substeps += transport->rank;
  good = fails(transport, &def, scene, "weft_solver_def.substeps") && good;
  weft_scene_destroy(&scene);
  weft_scene_destroy(&other);
  return good ? 0 : 1;
}

int main(int argc, char** argv) {
  int provided = 0, status = 2;
  weft_transport transport;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(weft_mpi_create(MPI_COMM_WORLD, &transport));
  if (argc >= 3) {
    if (argc > 3) columns = (uint32_t)strtoul(argv[3], NULL, 10);
    if (argc > 4) workers = (uint32_t)strtoul(argv[4], NULL, 10);
    status = strcmp(argv[1], "differ") == 0 ? run_differing(&transport)
                                            : run(&transport, argv[1], argv[2]);
  }
  weft_mpi_destroy(&transport);
  MPI_Finalize();
  return status;
}
