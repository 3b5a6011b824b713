/* Files of positions over time, read back: glTF, OBJ and PLY by assimp, HDF5 by its library, PC2 by
 * its layout. */
#include "sim/cache/cache.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <unistd.h>

#include "support/sim_runs.h"
#include "support/test.h"

#ifdef WEFT_HAS_HDF5
#include <hdf5.h>
#endif

enum { FRAMES = 31, MOST_PARTICLES = 1000 };

static char folder[] = "/tmp/weft_cache_files_XXXXXX";

static void enter_folder(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
}

static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_int_eq(system(command), 0);
  memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
}

// ---- the run that is written ----

/* State in each frame, as the world has it. */
typedef struct story {
  uint32_t particle_count;
  uint32_t face_counts[FRAMES];
  float positions[FRAMES][3 * MOST_PARTICLES];
  uint32_t faces[FRAMES][6 * MOST_PARTICLES];
} story;

static void note_frame(story* told, uint32_t frame, const sim_run* run) {
  const weft_world* world = sim_run_world(run);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, told->particle_count, told->positions[frame]);
  expect_ok(weft_world_get_faces(world, 2 * MOST_PARTICLES, told->faces[frame],
                                 &told->face_counts[frame]));
}

static sim_run* new_torn_curtain(double time_scale) {
  static const char* const sets[] = {"columns=21", "rows=17"};
  sim_settings settings = sim_default_settings();
  settings.sets = sets;
  settings.set_count = 2;
  settings.seconds = 1.0;
  settings.time_scale = time_scale;
  settings.keeps_cells = true;
  return new_run("curtain", &settings);
}

/* Writes a file of the curtain in every other step, and tells what it must have. */
static story* write_curtain(const char* path) {
  story* told = calloc(1, sizeof *told);
  sim_run* run = new_torn_curtain(1.0);
  sim_cache* cache = NULL;
  tool_message why;
  told->particle_count = sim_run_topology(run)->particle_count;
  ck_assert_uint_le(told->particle_count, MOST_PARTICLES);
  if (!sim_cache_open(path, 30.0, run, &cache, &why)) ck_abort_msg("%s", why.text);
  for (uint64_t step = 0; step <= sim_run_length(run); ++step) {
    if (step % 2 == 0) note_frame(told, (uint32_t)(step / 2), run);
    if (step == sim_run_length(run)) break;
    take_steps(run, 1);
    if (!sim_cache_step(cache, run, &why)) ck_abort_msg("%s", why.text);
  }
  if (!sim_cache_close(&cache, true, &why)) ck_abort_msg("%s", why.text);
  ck_assert_uint_lt(told->face_counts[FRAMES - 1], told->face_counts[0]);
  return told;
}

/* True if a frame has a face; faces are in one order in all frames. */
static bool has_face(const story* told, uint32_t frame, const uint32_t* face) {
  for (uint32_t i = 0; i < told->face_counts[frame]; ++i) {
    if (memcmp(told->faces[frame] + 3 * (size_t)i, face, 3 * sizeof *face) == 0) return true;
  }
  return false;
}

// ---- glTF ----

static const struct aiScene* import(const char* path) {
  const struct aiScene* scene = aiImportFile(path, 0);
  if (!scene) ck_abort_msg("%s: %s", path, aiGetErrorString());
  return scene;
}

/* Corners of a face in a frame, as a viewer draws it. */
static void require_corners(const story* told, uint32_t frame, const uint32_t* face,
                            const struct aiMesh* mesh, const struct aiFace* drawn) {
  const struct aiVector3D* vertices =
      frame == 0 ? mesh->mVertices : mesh->mAnimMeshes[frame - 1]->mVertices;
  const bool present = has_face(told, frame, face);
  require(drawn->mNumIndices == 3);
  for (int k = 0; k < 3; ++k) {
    const float* p = told->positions[frame] + 3 * (size_t)face[present ? k : 0];
    const struct aiVector3D* v = &vertices[drawn->mIndices[k]];
    // displacements are rounded, and added again
    require(fabsf(v->x - p[0]) < 4e-7f && fabsf(v->y - p[1]) < 4e-7f && fabsf(v->z - p[2]) < 4e-7f);
  }
}

/* Weight of each target over the frames: 1 in its own. */
static void require_weights(const struct aiScene* scene) {
  ck_assert_uint_eq(scene->mNumAnimations, 1);
  const struct aiAnimation* animation = scene->mAnimations[0];
  ck_assert_uint_eq(animation->mNumMorphMeshChannels, 1);
  const struct aiMeshMorphAnim* channel = animation->mMorphMeshChannels[0];
  ck_assert_uint_eq(channel->mNumKeys, FRAMES);
  for (uint32_t f = 0; f < FRAMES; ++f) {
    const struct aiMeshMorphKey* key = &channel->mKeys[f];
    require(fabs(key->mTime - 1000.0 * f / 30.0) < 1e-3);  // milliseconds
    require(key->mNumValuesAndWeights == FRAMES - 1);
    for (uint32_t t = 0; t + 1 < FRAMES; ++t) require(key->mWeights[t] == (t + 1 == f ? 1.0 : 0.0));
  }
}

LOOP_TEST(a_gltf_file_is_a_mesh_with_a_morph_target_for_each_frame, 0, 2) {
  static const char* const paths[] = {"c.gltf", "c.glb"};
  story* told = write_curtain(paths[_i]);
  const struct aiScene* scene = import(paths[_i]);
  // faces that stay, then faces that tear
  ck_assert_uint_eq(scene->mNumMeshes, 2);
  uint32_t next[2] = {0, 0};
  for (uint32_t i = 0; i < told->face_counts[0]; ++i) {
    const uint32_t* face = told->faces[0] + 3 * (size_t)i;
    const int part = has_face(told, FRAMES - 1, face) ? 0 : 1;
    const struct aiMesh* mesh = scene->mMeshes[part];
    require(mesh->mNumAnimMeshes == FRAMES - 1 && next[part] < mesh->mNumFaces);
    const struct aiFace* drawn = &mesh->mFaces[next[part]++];
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
      require_corners(told, frame, face, mesh, drawn);
    }
  }
  ck_assert_uint_eq(next[0], scene->mMeshes[0]->mNumFaces);
  ck_assert_uint_eq(next[1], scene->mMeshes[1]->mNumFaces);
  require_weights(scene);
  aiReleaseImport(scene);
  free(told);
}

// ---- a mesh each frame ----

LOOP_TEST(a_sequence_has_a_mesh_of_the_faces_of_each_frame, 0, 2) {
  static const char* const extensions[] = {"obj", "ply"};
  static const float tolerances[] = {4e-7f, 0.0f};  // assimp rounds decimal numbers
  char path[32];
  snprintf(path, sizeof path, "c.%s", extensions[_i]);
  story* told = write_curtain(path);
  for (uint32_t frame = 0; frame < FRAMES; ++frame) {
    snprintf(path, sizeof path, "c_%04u.%s", frame, extensions[_i]);
    const struct aiScene* scene = import(path);
    const struct aiMesh* mesh = scene->mMeshes[0];
    ck_assert_uint_eq(mesh->mNumFaces, told->face_counts[frame]);
    for (size_t i = 0; i < 3 * (size_t)mesh->mNumFaces; ++i) {
      const float* p = told->positions[frame] + 3 * (size_t)told->faces[frame][i];
      const struct aiVector3D* v = &mesh->mVertices[mesh->mFaces[i / 3].mIndices[i % 3]];
      const float error = fmaxf(fmaxf(fabsf(v->x - p[0]), fabsf(v->y - p[1])), fabsf(v->z - p[2]));
      require(error <= tolerances[_i]);
    }
    aiReleaseImport(scene);
  }
  free(told);
}

// ---- PC2 ----

/* Samples of a file; its counts. To be freed. */
static float* read_pc2(const char* path, int32_t* point_count, int32_t* sample_count) {
  char signature[12];
  int32_t version;
  float times[2];
  FILE* file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fread(signature, sizeof signature, 1, file), 1);
  ck_assert_str_eq(signature, "POINTCACHE2");
  ck_assert_uint_eq(fread(&version, sizeof version, 1, file), 1);
  ck_assert_uint_eq(fread(point_count, sizeof *point_count, 1, file), 1);
  ck_assert_uint_eq(fread(times, sizeof times, 1, file), 1);
  ck_assert_uint_eq(fread(sample_count, sizeof *sample_count, 1, file), 1);
  ck_assert(version == 1 && times[0] == 0.0f && times[1] == 1.0f);
  const size_t count = 3 * (size_t)*point_count * (size_t)*sample_count;
  float* samples = malloc(count * sizeof *samples);
  ck_assert_uint_eq(fread(samples, sizeof *samples, count, file), count);
  ck_assert_int_eq(fgetc(file), EOF);
  fclose(file);
  return samples;
}

TEST(a_point_cache_has_the_bits_of_each_frame) {
  int32_t point_count, sample_count;
  story* told = write_curtain("c.pc2");
  float* samples = read_pc2("c.pc2", &point_count, &sample_count);
  ck_assert_uint_eq((uint32_t)point_count, told->particle_count);
  ck_assert_int_eq(sample_count, FRAMES);
  const size_t size = 3 * sizeof(float) * told->particle_count;
  for (size_t f = 0; f < FRAMES; ++f) {
    require(memcmp(samples + f * size / sizeof(float), told->positions[f], size) == 0);
  }
  free(samples);
  free(told);
}

/* Frames between two steps, and those of slow motion, are on the line between the steps. */
LOOP_TEST(frames_between_steps_are_interpolated, 0, 3) {
  static const double scales[] = {1.0, 0.25, 3.0};
  const double fps = 48.0, steps_per_frame = 60.0 * scales[_i] / fps;
  static float steps[61][3 * MOST_PARTICLES];
  sim_run* run = new_torn_curtain(scales[_i]);
  sim_cache* cache = NULL;
  tool_message why;
  const uint32_t count = sim_run_topology(run)->particle_count;
  ck_assert(sim_cache_open("c.pc2", fps, run, &cache, &why));
  for (uint32_t step = 0; step <= 60; ++step) {
    if (step > 0) take_steps(run, 1);
    if (step > 0) ck_assert(sim_cache_step(cache, run, &why));
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 0, count, steps[step]);
  }
  ck_assert(sim_cache_close(&cache, true, &why));
  int32_t point_count, sample_count;
  float* samples = read_pc2("c.pc2", &point_count, &sample_count);
  ck_assert_int_eq(sample_count, (int32_t)floor(60.0 / steps_per_frame) + 1);
  for (int32_t f = 0; f < sample_count; ++f) {
    const double at = f * steps_per_frame;
    const float share = (float)(at - floor(at));
    const float* a = steps[(size_t)floor(at)];
    const float* b = steps[(size_t)ceil(at)];
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
      const float sample = samples[3 * (size_t)count * (size_t)f + i];
      require(share == 0.0f ? sample == a[i]
                            : fabsf(sample - (a[i] + share * (b[i] - a[i]))) < 1e-6f);
    }
  }
  free(samples);
}

// ---- HDF5 ----

#ifdef WEFT_HAS_HDF5
/* Reads a data set of this many elements. */
static void read_set(hid_t file, const char* kind, uint32_t number, hid_t type, size_t count,
                     void* values) {
  char name[64];
  snprintf(name, sizeof name, "/%s/%u", kind, number);
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  ck_assert_int_ge(set, 0);
  const hid_t space = H5Dget_space(set);
  ck_assert_uint_eq((size_t)H5Sget_simple_extent_npoints(space), count);
  ck_assert_int_ge(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  H5Sclose(space);
  H5Dclose(set);
}

TEST(an_hdf5_file_has_the_positions_and_faces_of_each_frame) {
  static float positions[3 * MOST_PARTICLES];
  static uint32_t faces[6 * MOST_PARTICLES];
  uint32_t revisions[FRAMES];
  story* told = write_curtain("c.xdmf");
  ck_assert_int_eq(access("c.xdmf", R_OK), 0);
  const hid_t file = H5Fopen("c.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert_int_ge(file, 0);
  const hid_t set = H5Dopen2(file, "/faces/revision", H5P_DEFAULT);
  ck_assert_int_ge(H5Dread(set, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, revisions), 0);
  H5Dclose(set);
  for (uint32_t f = 0; f < FRAMES; ++f) {
    const size_t values = 3 * (size_t)told->particle_count;
    const size_t corners = 3 * (size_t)told->face_counts[f];
    read_set(file, "positions", f, H5T_NATIVE_FLOAT, values, positions);
    read_set(file, "faces", revisions[f], H5T_NATIVE_UINT32, corners, faces);
    require(memcmp(positions, told->positions[f], values * sizeof(float)) == 0);
    require(memcmp(faces, told->faces[f], corners * sizeof *faces) == 0);
  }
  H5Fclose(file);
  free(told);
}
#endif

SUITE(cache_files) {
  tcase_add_checked_fixture(tests, enter_folder, remove_folder);
}
