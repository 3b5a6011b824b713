#ifndef WEFT_LIBRARIES_CONTACTS_SUGGEST_H
#define WEFT_LIBRARIES_CONTACTS_SUGGEST_H

#include "weft/weft.h"

/* Thickness over spacing: spheres of this radius leave no gap between them that another one fits
 * through. */
#define WEFT__THICKNESS_SHARE 0.55

/* Rest lengths of the structural links of a body, metres. */
typedef struct weft__spacing {
  double mean, longest;
} weft__spacing;

/* Fails at "body" without such links, or if the scene lacks them. */
weft_result weft__measure_spacing(const weft_scene* scene, const weft_body* body,
                                  weft__spacing* spacing);

#endif
