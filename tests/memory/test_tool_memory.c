/* Every allocation of a tool that reads a mesh or a scene may fail: the tool reports an error, and
 * nothing leaks. */
#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mesh_file/mesh_file.h"
#include "sim/cache/cache.h"
#include "sim/run.h"
#include "support/shortage.h"
#include "support/test.h"

// every one of the first allocations, then ever fewer of the later ones
static int next_shortage(int n) {
  return n + 1 + n / 16;
}

// Each test runs in a folder of its own.
static char folder[64];

static void enter_folder(void) {
  snprintf(folder, sizeof folder, "tool_memory_%ld", (long)getpid());
  ck_assert_int_eq(mkdir(folder, 0700), 0);
  ck_assert_int_eq(chdir(folder), 0);
}

static void remove_folder(void) {
  ck_assert_int_eq(chdir(".."), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
}

// ---- meshes ----

static const char* const meshes[][2] = {
    {"m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n"},
    {"m.ply",
     "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
     "z\n"
     "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
     "0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2\n3 1 3 2\n"},
    {"m.gltf",
     "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": "
     "0}],\n"
     "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"mode\": 5}]}],\n"
     "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4,\n"
     "\"type\": \"VEC3\"}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 48}],\n"
     "\"buffers\": [{\"byteLength\": 48, \"uri\": "
     "\"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAA\"}]}"},
};

LOOP_TEST(a_mesh_that_finds_no_memory_is_refused_with_a_message, 0,
          (int)(sizeof meshes / sizeof *meshes)) {
  write_text(meshes[_i][0], meshes[_i][1]);
  bool read = false;
  for (int n = 0; !read; ++n) {
    tool_mesh mesh;
    tool_message why = {{0}};
    allocations_left = n;
    read = tool_mesh_load(meshes[_i][0], &mesh, &why);
    allocations_left = -1;
    ck_assert(read || why.text[0] != '\0');
    if (read) ck_assert_uint_eq(mesh.triangle_count, 2);
    if (read) tool_mesh_free(&mesh);
    ck_assert_int_lt(n, 1000);
  }
  unlink(meshes[_i][0]);
}

// ---- scenes ----

// one instance of everything that has a reader of its own
static const char scene_text[] =
    "{\"seconds\": 0.1, \"world\": {\"worker_count\": 2},\n"
    " \"wind\": {\"velocity\": [1, 0, 0]}, \"bounds\": {\"lower\": [-9, -9, -9]},\n"
    " \"contact_limits\": {\"max_events\": 10},\n"
    " \"colliders\": [{\"shape\": \"sphere\", \"radius\": 0.2, \"position\": [0, -1, 0]},\n"
    "   {\"shape\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}],\n"
    " \"bodies\": [{\"type\": \"sheet\", \"name\": \"s\", \"columns\": 4, \"rows\": 4, \"pin\": "
    "\"top\",\n"
    "     \"contact\": {\"shape\": \"cloth\", \"half_size\": [0.01, 0, 0], \"collision\": "
    "\"exact\"}},\n"
    "   {\"type\": \"rope\", \"name\": \"r\", \"segments\": 4}],\n"
    " \"links\": [{\"from\": \"s[0,3]\", \"to\": \"r[0]\"}],\n"
    " \"events\": [{\"at\": 0, \"do\": \"move\", \"body\": \"s\", \"particles\": \"top\", \"by\": "
    "[0, 0, 1], \"for\": 0.1},\n"
    "   {\"at\": 0, \"do\": \"force\", \"body\": \"r\", \"newtons\": [1, 0, 0]},\n"
    "   {\"at\": 0, \"do\": \"cut\", \"a\": [-1, -0.1, -1], \"b\": [1, -0.1, -1], \"c\": [0, -0.1, "
    "1]}]}";

static bool try_scene(const char* path, tool_message* why) {
  const sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  if (sim_run_create(path, &settings, &run, why) != SIM_OK) return false;
  const bool stepped = sim_run_step(run, why);
  sim_run_destroy(&run);
  return stepped;
}

static void* take_memory(size_t bytes) {
  return malloc(bytes);
}

TEST(a_scene_file_that_finds_no_memory_is_refused_with_a_message) {
  // allocations of the JSON library fail as well
  json_set_alloc_funcs(take_memory, free);
  write_text("m.json", scene_text);
  tool_message why = {{0}};
  ck_assert_msg(try_scene("m.json", &why), "%s", why.text);
  bool done = false;
  for (int n = 0; !done; n = next_shortage(n)) {
    why.text[0] = '\0';
    allocations_left = n;
    done = try_scene("m.json", &why);
    // success is allowed if the failed allocation was optional
    const bool ran_out = allocations_left < 0;
    allocations_left = -1;
    ck_assert(done || why.text[0] != '\0');
    ck_assert(done || ran_out);
    done = done && !ran_out;
    ck_assert_int_lt(n, 1000000);
  }
  unlink("m.json");
}

// ---- caches ----

static const char* const caches[] = {
    "c.pc2", "c.gltf", "c.glb", "c.obj", "c.ply",
#ifdef WEFT_HAS_HDF5
    "c.h5",
#endif
};

/* A few frames, after the first of which a sheet is cut. */
static bool try_cache(const char* path, tool_message* why) {
  sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  sim_cache* cache = NULL;
  tool_message unused;
  settings.keeps_cells = true;
  if (sim_run_create("m.json", &settings, &run, why) != SIM_OK) return false;
  bool ok = sim_cache_open(path, 60.0, run, &cache, why);
  for (int i = 0; ok && i < 3; ++i) ok = sim_run_step(run, why) && sim_cache_step(cache, run, why);
  if (cache) ok = sim_cache_close(&cache, ok, ok ? why : &unused) && ok;
  sim_run_destroy(&run);
  return ok;
}

static void remove_frames(const char* extension) {
  for (int i = 0; i < 4; ++i) {
    char path[32];
    snprintf(path, sizeof path, "c_%04d.%s", i, extension);
    unlink(path);
  }
}

LOOP_TEST(a_cache_that_finds_no_memory_leaves_no_file, 0, (int)(sizeof caches / sizeof *caches)) {
  static const char* const files[] = {"c.pc2", "c.gltf", "c.glb", "c.h5",
                                      "c.obj", "c.bin",  "c.xdmf"};
  json_set_alloc_funcs(take_memory, free);
  write_text("m.json", scene_text);
  tool_message why = {{0}};
  bool done = false;
  for (int n = 0; !done; n = next_shortage(n)) {
    why.text[0] = '\0';
    allocations_left = n;
    const bool ok = try_cache(caches[_i], &why);
    const bool ran_out = allocations_left < 0;
    allocations_left = -1;
    ck_assert(ok || why.text[0] != '\0');
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
      const bool is_there = unlink(files[i]) == 0;
      ck_assert_msg(ok || !is_there, "%s is left: %s", files[i], why.text);
    }
    done = ok && !ran_out;
    ck_assert_int_lt(n, 1000000);
  }
  remove_frames("obj");
  remove_frames("ply");
  unlink("m.json");
}

SUITE(tool_memory) {
  tcase_add_checked_fixture(tests, enter_folder, remove_folder);
}
