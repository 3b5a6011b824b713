/* Under mpirun: a sheet of several ranks has the hash of a world alone, straight and by a snapshot.
 *
 * usage: mpirun -n N ranks_hash straight|contacts|save|restore|differ FILE
 *   straight   steps, and compares with a world alone
 *   contacts   the same with cloth that collides with itself and lets nothing pass, as the next two
 *   save       steps half of the way, and saves
 *   restore    restores on this number of ranks, steps the rest, and compares with a world alone
 *   differ     ranks have different defs, then different scenes: all of them get the error */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/mpi.h"

#define STEPS 10u

static int rank;
static bool with_contacts;

static void check(weft_result result, const char* call) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "rank %d: %s: %s: %s [%" PRIu64 "]\n", rank, call, result.field,
          weft_error_text(result.error), result.index);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#define CHECK(call) check(call, #call)

static weft_scene* build(uint32_t rows) {
  weft_scene* scene = NULL;
  weft_material_def material = weft_default_material_def();
  material.bend_stiffness = 1e-4f;
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = 129;
  def.rows = rows;
  def.spacing = 0.02f;
  def.tear_ratio = 1.03f;
  def.material = &material;
  CHECK(weft_scene_create(&scene));
  CHECK(weft_scene_add_sheet(scene, &def, NULL));
  CHECK(weft_scene_pin(scene, 0, 1));
  CHECK(weft_scene_pin(scene, def.columns - 1, 1));
  return scene;
}

static weft_world_def define(void) {
  weft_world_def def = weft_plain_world_def();
  def.iterations = 4;
  def.substeps = 2;
  def.coarse_iterations = 2;
  def.attachments = 2;
  def.faces = true;
  def.worker_count = 2;
  return def;
}

static void set(weft_world* world) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 8.0f;
  wind.gust = 0.5f;
  CHECK(weft_world_set_wind(world, &wind));
  if (!with_contacts) return;
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  weft_world_stats stats;
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = 0.011f;
  shape.ccd = true;
  CHECK(weft_world_get_stats(world, &stats));
  CHECK(weft_world_set_particle_shape(world, 0, stats.particle_count, &shape));
}

static uint64_t hash_alone(const weft_scene* scene) {
  const weft_world_def def = define();
  weft_world* world = NULL;
  CHECK(weft_world_create(&def, scene, &world));
  set(world);
  weft_world_step(world, STEPS);
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
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
  weft_scene* scene = build(131);
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
  def.substeps += transport->rank;
  good = fails(transport, &def, scene, "weft_world_def.substeps") && good;
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
  if (argc == 3) {
    status = strcmp(argv[1], "differ") == 0 ? run_differing(&transport)
                                            : run(&transport, argv[1], argv[2]);
  }
  weft_mpi_destroy(&transport);
  MPI_Finalize();
  return status;
}
