/* Strands: links without faces, as in ropes, chains, nets and webs, as edges of CCD.
 *
 * A strand is a structural link that resists stretch, and of which an end belongs to no face. CCD
 * has strands as degenerate faces (a, b, b) after all faces, in clusters of their own, which own
 * their vertices and edges but have no faces to test and are not certified flat:
 *
 *   | face clusters       | strand clusters     | particles ...
 *   | vertices edges faces| vertices edges      | vertex
 *
 * Queries for faces of a particle then find strands as well: limits of edges, impact zones, links
 * that are gone. (Li, Kaufman, Jiang 2021, "Codimensional incremental potential contact": segments
 * and triangles, in one set of feature pairs) */
#ifndef WEFT_MODULES_CCD_STRANDS_H
#define WEFT_MODULES_CCD_STRANDS_H

#include "collision/setup.h"

/* True if there is a face or a strand. */
bool weft__ccd_has_features(const weft__contact_setup* setup);

/* Sets *joined to a table of all faces, then all strands; NULL if there are no strands. False when
 * out of memory. */
bool weft__ccd_join_strands(const weft__contact_setup* setup, weft__faces** joined);

void weft__ccd_free_joined(weft__faces* joined);

#endif
