/* Scene files: the examples, and files written by a test. */
#ifndef TESTS_SUPPORT_SCENE_FILES_H
#define TESTS_SUPPORT_SCENE_FILES_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "support/suite.h"

static inline void write_bytes(const char* path, const char* bytes, size_t length) {
  FILE* file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
  ck_assert_int_eq(fclose(file), 0);
}

/* Paths of weft-sim's examples, filled by find_examples(). */
static const char* example_paths[64];
static int example_count;

static inline void find_scene_files(const char* name) {
  DIR* folder = opendir(name);
  if (!folder) return;
  for (const struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    char* made = NULL;
    if (!strstr(entry->d_name, ".json") || example_count == 64) continue;
    if (asprintf(&made, "%s/%s", name, entry->d_name) < 0) continue;
    example_paths[example_count++] = made;
  }
  closedir(folder);
}

/* Lists the JSON files of WEFT_EXAMPLES. */
static inline void find_examples(void) {
  find_scene_files(WEFT_EXAMPLES);
}

#endif
