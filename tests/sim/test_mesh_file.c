/* Invalid mesh files are refused with the reason. */
#include "mesh_file/mesh_file.h"

#include <stdio.h>
#include <unistd.h>

#include "support/suite.h"

#define PLY(faces)                                                                \
  "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n" \
  "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"    \
  "end_header\n" faces

typedef struct mesh_case {
  const char* path;
  const char* text;
  const char* problem; /* NULL: two triangles of four vertices */
} mesh_case;

static const mesh_case cases[] = {
    {"test_mesh_file.ply", PLY("0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"), NULL},
    {"test_mesh_file.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", NULL},
    // complete if read by words; by lines the face is "0"
    {"test_mesh_file.ply", PLY("0 0 0\n1 0 0\n0 1\n0\n0 1 1\n3 0 1 2\n"), "face 0 has no corners"},
    {"test_mesh_file.ply", PLY("0 0 0\n1 0 0\n1 1 0\n0 1 0\n0\n"), "face 0 has 0 corners"},
    {"test_mesh_file.ply", PLY("0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 4\n"),
     "face 0 points to vertex 4 of 4"},
    {"test_mesh_file.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2\n", "line 4: a face has 2 corners"},
};

START_TEST(a_mesh_file_is_read_or_refused_by_what_is_wrong_with_it) {
  const mesh_case* c = &cases[_i];
  FILE* file = fopen(c->path, "wb");
  ck_assert_ptr_nonnull(file);
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
END_TEST

SUITE(mesh_file) {
  tcase_add_loop_test(tests, a_mesh_file_is_read_or_refused_by_what_is_wrong_with_it, 0,
                      (int)(sizeof cases / sizeof *cases));
}
