/* Invalid mesh files are refused with the reason. */
#include "mesh_file/mesh_file.h"

#include <unistd.h>

#include "support/test.h"

#define PLY(faces)                                                                \
  "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n" \
  "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"    \
  "end_header\n" faces

/* Square of two triangles: positions, then indices of 16 bits. `length`, `count` and `last` are
 * what a file may have wrong; `more` is put into the primitive's accessor of positions. */
#define SQUARE "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAABAAIAAAACAAMA"
#define GLTF(version, length, count, last, more)                                             \
  "{\"asset\": {\"version\": \"" version                                                     \
  "\"}, \"scenes\": [{\"nodes\": [0]}],\n"                                                   \
  "\"nodes\": [{\"children\": [" last                                                        \
  "]}, {\"mesh\": 0, \"translation\": [0, 2, 0]}],\n"                                        \
  "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}]}],\n" \
  "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": " count           \
  ", \"type\": \"VEC3\"" more                                                                \
  "},\n"                                                                                     \
  "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 6, \"type\": \"SCALAR\"}],\n"     \
  "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 48},\n"                                 \
  "{\"buffer\": 0, \"byteOffset\": 48, \"byteLength\": 12}],\n"                              \
  "\"buffers\": [{\"byteLength\": " length                                                   \
  ", \"uri\": \"data:application/octet-stream;base64," SQUARE "\"}]}"
#define GLTF_OF_URI(uri)                                                                        \
  "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": " \
  "0}],\n"                                                                                      \
  "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}],\n"                    \
  "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, "                 \
  "\"type\": \"VEC3\"}],\n"                                                                     \
  "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36}],\n"                                   \
  "\"buffers\": [{\"byteLength\": 36" uri "}]}"

typedef struct mesh_case {
  const char* path;
  const char* text;
  const char* problem; /* NULL: two triangles of four vertices */
} mesh_case;

#define SQUARE_OBJ(line) "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n" line "\n"

static const mesh_case cases[] = {
    {"test_mesh_file.ply", PLY("0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"), NULL},
    {"test_mesh_file.obj", SQUARE_OBJ("f 1 2 3 4"), NULL},
    {"test_mesh_file.OBJ", SQUARE_OBJ("f 1 2 3 4"), NULL},
    // dialects, several of which the library does not read
    {"test_mesh_file.obj", "\xEF\xBB\xBF" SQUARE_OBJ("f 1 2 3 4"), NULL},
    {"test_mesh_file.obj", "  v 0 0 0\n\tv 1 0 0 #\n v 1 1 0 1\n v 0 1 0#b\n  f -4 -3 -2 -1", NULL},
    {"test_mesh_file.obj", SQUARE_OBJ("vt\nvt 0 0\nf 1/2 2/2 3/2/ 4//"), NULL},
    {"test_mesh_file.obj", SQUARE_OBJ("f 1 2 3 # f 1 2 4\nf 1 3 4# 2"), NULL},
    {"test_mesh_file.obj", SQUARE_OBJ("cstype bezier\ndeg 3\nl 1 2\nf 1 2 \\\n 3 4\nend"), NULL},
    {"test_mesh_file.obj", SQUARE_OBJ("usemtl a\nf 1 2 3\nusemtl b\ng\nf 1 3 4\n#"), NULL},
    {"test_mesh_file.obj", "v 0 0 0\rv 1 0 0\rv 1 1 0\rv 0 1 0\rf 1 2 3 4", NULL},
    {"test_mesh_file.obj", SQUARE_OBJ("f 1/1\\\n2/2\\\r\n3/3 4"), NULL},
    {"test_mesh_file.obj", SQUARE_OBJ("v 0-0-0"),
     "line 5: a vertex needs three finite coordinates"},
    {"test_mesh_file.obj", SQUARE_OBJ("v 0 0 0\\5"),
     "line 5: a vertex needs three finite coordinates"},
    {"test_mesh_file.obj", SQUARE_OBJ("f 1 2 # 3"), "line 5: a face has 2 corners"},
    {"test_mesh_file.obj", SQUARE_OBJ("v 0 # 1 2"),
     "line 5: a vertex needs three finite coordinates"},
    {"test_mesh_file.obj", SQUARE_OBJ("f 1 2,3 4"),
     "line 5: a face has a corner that is not a number"},
    // complete if read by words; by lines the face is "0"
    {"test_mesh_file.ply", PLY("0 0 0\n1 0 0\n0 1\n0\n0 1 1\n3 0 1 2\n"), "face 0 has no corners"},
    {"test_mesh_file.ply", PLY("0 0 0\n1 0 0\n1 1 0\n0 1 0\n0\n"), "face 0 has 0 corners"},
    {"test_mesh_file.ply", PLY("0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 4\n"),
     "face 0 points to vertex 4 of 4"},
    {"test_mesh_file.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2\n", "line 4: a face has 2 corners"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "4", "1", ""), NULL},
    {"test_mesh_file.glb", GLTF("2.0", "60", "4", "1", ""), NULL},
    {"test_mesh_file.gltf", GLTF("1.0", "60", "4", "1", ""), "is glTF of version 1.0, not 2"},
    {"test_mesh_file.gltf", GLTF("2.0", "61", "4", "1", ""),
     "buffer 0 is cut off: it has 60 of 61 bytes"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "5", "1", ""),
     "accessor 0 is past the end of its buffer view"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "2147483647", "1", ""),
     "accessor 0 is past the end of its buffer view"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "9999999999", "1", ""),
     "an accessor: count is not a whole number from 0 to 2147483647"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "-1", "1", ""),
     "an accessor: count is not a whole number from 0 to 2147483647"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "3", "1", ""), "face 1 points to vertex 3 of 3"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "4", "1", ", \"byteOffset\": 9007199254740992"),
     "accessor 0 is past the end of its buffer view"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "4", "1", ", \"sparse\": {}"),
     "accessor 0 is sparse, which is not read"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "4", "0", ""), "node 0 has two parents"},
    {"test_mesh_file.gltf", GLTF("2.0", "60", "4", "7", ""), "nodes 7 of 2 is not there"},
    {"test_mesh_file.gltf", GLTF_OF_URI(", \"uri\": \"no.bin\""),
     "'no.bin': No such file or directory"},
    {"test_mesh_file.gltf", GLTF_OF_URI(", \"uri\": \"%2e%2e/a.bin\""),
     "has a buffer that is no file beside it: '../a.bin'"},
    {"test_mesh_file.gltf", GLTF_OF_URI(", \"uri\": \"/etc/passwd\""),
     "has a buffer that is no file beside it: '/etc/passwd'"},
    {"test_mesh_file.gltf", GLTF_OF_URI(", \"uri\": \"data:;base64,A?\""),
     "a buffer is not base64"},
    {"test_mesh_file.gltf", GLTF_OF_URI(""), "buffer 0 has no data"},
    {"test_mesh_file.gltf", "{\"asset\": ", "line 1: unexpected token near end of file"},
    {"test_mesh_file.gltf", "\x01\xc1", "is neither JSON nor a binary container: it is not glTF"},
    {"test_mesh_file.gltf", "[]", "has no asset.version: it is not glTF"},
    {"test_mesh_file.glb", "", "is cut off: it has 20 of 21 bytes"},
};

/* Header of a .glb whose only chunk is the text. An empty text is a file that ends too early. */
static void write_container(const char* text, FILE* file) {
  const uint32_t length = (uint32_t)strlen(text);
  const uint32_t header[] = {0x46546C67, 2, length > 0 ? 20 + length : 21, length, 0x4E4F534A};
  ck_assert_uint_eq(fwrite(header, sizeof header, 1, file), 1);
}

LOOP_TEST(a_mesh_file_is_read_or_refused_by_what_is_wrong_with_it, 0,
          (int)(sizeof cases / sizeof *cases)) {
  const mesh_case* c = &cases[_i];
  FILE* file = fopen(c->path, "wb");
  ck_assert_ptr_nonnull(file);
  if (strstr(c->path, ".glb")) write_container(c->text, file);
  ck_assert_int_ge(fputs(c->text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
  tool_mesh mesh;
  tool_message why;
  const bool is_read = tool_mesh_load(c->path, &mesh, &why);
  unlink(c->path);
  ck_assert_int_eq(is_read, c->problem == NULL);
  if (is_read) {
    ck_assert_uint_eq(mesh.vertex_count, 4);
    ck_assert_uint_eq(mesh.triangle_count, 2);
    tool_mesh_free(&mesh);
    return;
  }
  char expected[256];
  snprintf(expected, sizeof expected, "%s: %s", c->path, c->problem);
  ck_assert_str_eq(why.text, expected);
}

// counts of dropped and near vertices and faces: see tool_mesh
static const struct {
  const char* text;
  uint32_t vertices, triangles, degenerate, repeated, unused, near;
} counted[] = {
    {SQUARE_OBJ("v 5 5 5\nv 1 1 0\nf 1 2 3 4"), 4, 2, 0, 0, 2, 0},
    {SQUARE_OBJ("v 1 1 -0\nv 0 0 0\nf 1 2 3\nf 5 4 6"), 4, 2, 0, 0, 0, 0},
    {SQUARE_OBJ("v 1 1 0.000001\nv 0.000001 0 0\nf 1 2 3\nf 5 4 6"), 6, 2, 0, 0, 0, 2},
    {SQUARE_OBJ("v 1.00005 0.99995 0.00005\nv 0.003 0 0\nf 1 2 3\nf 5 4 6"), 6, 2, 0, 0, 0, 1},
    {SQUARE_OBJ("f 1 2 2\nf 1 2 3\nf 3 2 1\nf 2 3 1"), 3, 1, 1, 2, 1, 0},
    {"v 5200000 0 0\nv 5200001 0 0\nv 5200001 1 0\nv 5200000 1 0\nf 1 2 3 4\n", 4, 2, 0, 0, 0, 0},
};

LOOP_TEST(vertices_that_meet_are_one_and_those_that_nearly_do_are_counted, 0,
          (int)(sizeof counted / sizeof *counted)) {
  const char* path = "test_mesh_file.obj";
  FILE* file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(counted[_i].text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
  tool_mesh mesh;
  tool_message why;
  const bool is_read = tool_mesh_load(path, &mesh, &why);
  unlink(path);
  if (!is_read) ck_abort_msg("%s", why.text);
  ck_assert_uint_eq(mesh.vertex_count, counted[_i].vertices);
  ck_assert_uint_eq(mesh.triangle_count, counted[_i].triangles);
  ck_assert_uint_eq(mesh.degenerate_count, counted[_i].degenerate);
  ck_assert_uint_eq(mesh.repeated_count, counted[_i].repeated);
  ck_assert_uint_eq(mesh.unused_count, counted[_i].unused);
  ck_assert_uint_eq(mesh.near_count, counted[_i].near);
  tool_mesh_free(&mesh);
}
