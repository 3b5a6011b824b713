#include "sim/file/motion.h"

#include <stdlib.h>

/* "FORMULA" for all steps, or ["FIRST", "NEXT"]. */
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

/* Sets a vector of each particle, except skipped ones: NULL = none. */
static bool start_body(const sim_source* source, const sim_place* place, const sim_body* body,
                       const tool_tree* list, const bool* skipped, weft_world* world) {
  sim_formula formulas[3];
  const bool is_place = list == body->start;
  const sim_place here = {place, is_place ? "start" : "velocity", 0};
  if (!sim_read_formulas(source, &here, list, source->scope, formulas, 3)) return false;
  for (uint32_t i = 0; i < body->made.particle_count; ++i) {
    float vector[3];
    const uint32_t particle = body->made.first_particle + i;
    if (skipped && skipped[i]) continue;
    weft_result result =
        weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(particle, 1), vector, 0);
    sim_scope_set_index(source->scope, source->run_names, body, i);
    sim_scope_set_vector(source->scope, source->run_names, SIM_NAME_X, vector);
    sim_formula_floats(formulas, 3, source->scope, world, vector);
    if (result.error == WEFT_OK) {
      result =
          is_place
              ? weft_world_set(world, WEFT_ATTRIBUTE_POSITION, weft_range(particle, 1), vector, 0)
              : weft_world_set(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(particle, 1), vector, 0);
    }
    if (result.error != WEFT_OK) {
      return sim_fault(source, &here, "%s", weft_error_text(result.error));
    }
  }
  return true;
}

static bool start_velocities(const sim_source* source, const sim_place* place, const sim_body* body,
                             weft_world* world) {
  const sim_place at_pin = {place, "pin", 0};
  bool* pinned = body->pin ? sim_select(source, &at_pin, body, body->pin) : NULL;
  const bool ok =
      (pinned || !body->pin) && start_body(source, place, body, body->velocity, pinned, world);
  free(pinned);
  return ok;
}

bool sim_start_motion(const sim_source* source, const sim_bodies* bodies, weft_world* world) {
  const sim_place root = {NULL, "bodies", 0};
  for (size_t i = 0; i < bodies->count; ++i) {
    const sim_place place = {&root, NULL, i};
    const sim_body* body = &bodies->items[i];
    if (body->start && !start_body(source, &place, body, body->start, NULL, world)) return false;
    if (body->velocity && !start_velocities(source, &place, body, world)) return false;
  }
  return true;
}
