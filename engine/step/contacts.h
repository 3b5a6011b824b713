/* Contact stages: the broad phase once a step, and the solves of each substep: of cloth before
 * the sweeps and between both halves of them, of all after links and trees; CCD last, after the
 * bounds. Candidate lists that expire within a step are searched again. */
#ifndef WEFT_STEP_CONTACTS_H
#define WEFT_STEP_CONTACTS_H

#include "collision/colliders/colliders.h"
#include "collision/colliders/face_contacts.h"
#include "collision/event_log.h"
#include "collision/materials.h"
#include "collision/self/self.h"
#include "collision/strands/strands.h"
#include "parallel/step_context.h"

typedef struct weft__contacts {
  weft_contact_limits_def limits;
  weft__materials materials;
  weft__contact_log log;
  weft__colliders colliders;
  weft__face_contacts faces;
  weft__self cloth;
  weft__strands strands;
  bool is_begun; /* contacts of cloth, in this substep */
} weft__contacts;

bool weft__contacts_act(const weft__contacts* contacts);

/* A collider moves in this step. */
bool weft__contacts_move(const weft__contacts* contacts);

/* Connects stages with each other's tables, prepared or restored. joined: NULL without strands */
void weft__contacts_connect(weft__contacts* contacts, const weft__faces* joined);

void weft__contacts_destroy(weft__contacts* contacts);
size_t weft__contacts_bytes(const weft__contacts* contacts);

void weft__contacts_begin_step(weft__contacts* contacts, weft__step_context* step);
void weft__contacts_begin_substep(weft__contacts* contacts, const weft__step_context* step);

/* Contacts of cloth are found and solved before the sweeps, and solved again between both halves of
 * these and after them; in a partial substep only after them, and in a longer one not at all. */
bool weft__contacts_divide_sweeps(const weft__step_context* step);
void weft__contacts_begin(weft__step_context* step);
void weft__contacts_solve_again(weft__step_context* step);

void weft__contacts_solve(weft__contacts* contacts, weft__step_context* step);

/* Colliders and bounds again, for a stage that has moved particles since. */
void weft__contacts_push_out(weft__step_context* step);

void weft__contacts_end_step(weft__contacts* contacts, const weft__step_context* step);

#endif
