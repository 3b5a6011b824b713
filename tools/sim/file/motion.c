#include "sim/file/motion.h"

#include <stdlib.h>

// ---- state ----

/* "FORMULA" for all moments, or ["FIRST", "NEXT"]. */
static bool read_number(const sim_source* source, const sim_place* place, const tool_tree* item,
                        const sim_scope* scope, sim_formula formulas[2]) {
  if (item->kind == TOOL_TREE_LIST) {
    return sim_read_formulas(source, place, item, scope, formulas, 2);
  }
  if (!sim_read_formula(source, place, item, scope, &formulas[0])) return false;
  formulas[1] = formulas[0];
  return true;
}

bool sim_read_state(const sim_source* source, const tool_tree* object, sim_scope* scope,
                    sim_state* state) {
  const sim_place place = {NULL, "state", 0};
  *state = (sim_state){.slot = scope->count};
  if (!object || object->count == 0) return true;
  state->formulas = calloc(object->count, sizeof *state->formulas);
  if (!state->formulas) return sim_fault(source, &place, "no memory for it");
  state->count = object->count;
  for (size_t i = 0; i < object->count; ++i) {
    if (!sim_scope_add(scope, (sim_name){object->items[i].key, false, NULL}, 0.0)) {
      return sim_fault(source, &place, "too many names");
    }
  }
  for (size_t i = 0; i < object->count; ++i) {
    const sim_place here = {&place, object->items[i].key, 0};
    if (!read_number(source, &here, &object->items[i], scope, state->formulas[i])) return false;
  }
  return true;
}

void sim_free_state(sim_state* state) {
  free(state->formulas);
  *state = (sim_state){.count = 0};
}

static void set_state(const sim_state* state, sim_scope* scope, int which) {
  for (size_t i = 0; i < state->count; ++i) {
    scope->values[state->slot + i] = sim_formula_value(&state->formulas[i][which], scope, NULL);
  }
}

void sim_start_state(const sim_state* state, sim_scope* scope) {
  set_state(state, scope, 0);
}

void sim_advance_state(const sim_state* state, sim_scope* scope) {
  set_state(state, scope, 1);
}

void sim_keep_state(const sim_state* state, sim_scope* scope, sim_keep* keep) {
  sim_keep_bytes(keep, scope->values + state->slot, state->count * sizeof scope->values[0]);
}

// ---- velocities ----

static bool start_body(const sim_source* source, const sim_place* place, const sim_body* body,
                       sim_scope* scope, uint32_t run_names, weft_world* world) {
  const sim_place at_velocity = {place, "velocity", 0}, at_pin = {place, "pin", 0};
  sim_formula formulas[3];
  if (!sim_read_formulas(source, &at_velocity, body->velocity, scope, formulas, 3)) return false;
  bool* pinned = body->pin ? sim_select(source, &at_pin, body, body->pin) : NULL;
  bool ok = pinned || !body->pin;
  for (uint32_t i = 0; ok && i < body->made.particle_count; ++i) {
    float velocity[3], position[3];
    const uint32_t particle = body->made.first_particle + i;
    if (pinned && pinned[i]) continue;
    weft_result result = weft_world_get_positions(world, particle, 1, position);
    sim_scope_set_index(scope, run_names, body, i);
    sim_scope_set_vector(scope, run_names, SIM_NAME_X, position);
    sim_formula_floats(formulas, 3, scope, world, velocity);
    if (result.error == WEFT_OK) {
      result = weft_world_set_velocities(world, particle, 1, velocity, 0);
    }
    ok = result.error == WEFT_OK ||
         sim_fault(source, &at_velocity, "%s", weft_error_text(result.error));
  }
  free(pinned);
  return ok;
}

bool sim_start_velocities(const sim_source* source, const sim_bodies* bodies, sim_scope* scope,
                          uint32_t run_names, weft_world* world) {
  const sim_place root = {NULL, "bodies", 0};
  for (size_t i = 0; i < bodies->count; ++i) {
    const sim_place place = {&root, NULL, i};
    const sim_body* body = &bodies->items[i];
    if (body->velocity && !start_body(source, &place, body, scope, run_names, world)) return false;
  }
  return true;
}
