/* Contact and air of ready-made bodies. */
#ifndef WEFT_LIBRARIES_BODIES_BODY_CONTACT_H
#define WEFT_LIBRARIES_BODIES_BODY_CONTACT_H

#include "scene/scene.h"

/* As in the defs of bodies. */
typedef struct weft__body_contact {
  float thickness; /* metres, 0: `usual` */
  double usual;    /* metres */
  float friction;
  weft_collision collision;
  bool in_air;
} weft__body_contact;

/* Sets the contact of a new body, and still air unless the scene has a wind. */
weft_result weft__set_body_contact(weft_scene* scene, const weft_body* body,
                                   const weft__body_contact* contact);

#endif
