/* Links to add to a scene; a pair may occur twice, or have equal ends. */
#ifndef TESTS_SUPPORT_LINK_LIST_H
#define TESTS_SUPPORT_LINK_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "support/random.h"
#include "weft/weft.h"

typedef struct link_list {
  weft_link_def* items;
  size_t count;
  size_t capacity;
} link_list;

/* Adds a pair; a pair of equal ends is dropped. */
void link_list_push(link_list* list, uint32_t a, uint32_t b);

/* Adds each pair once, in random order and direction, without pairs linked by the scene. Rest
 * lengths and stiffnesses are common or differ from link to link, by chance. */
void link_list_add_to(link_list* list, weft_scene* scene, random_source* random);

void link_list_free(link_list* list);

#endif
