/* A row of linked particles, common to the scenes with ropes: its first particle, the head, follows
 * a path and may be let go; its last is free or held. */
#ifndef TOOLS_SIM_STRAND_H
#define TOOLS_SIM_STRAND_H

#include "sim/path.h"
#include "sim/scene.h"

typedef struct sim_strand {
  // as the scene describes it
  uint32_t link_count;
  double length;     /* metres, at rest */
  double mass;       /* kilograms, half of a link's at either end */
  double load;       /* kilograms added at the last particle */
  double compliance; /* metres per newton of each link */
  weft_link_mode mode;
  bool both;      /* the last particle is pinned */
  sim_path path;  /* path of the head */
  double release; /* second at which the head is let go; 0 = never */

  // while it runs
  float* positions; /* as last read [link_count + 1][3] */
  float start[3];   /* initial position of the head */
  bool is_led, is_released;
  bool is_pointed;    /* a person's target replaces the path */
  float target[3];    /* position of the head after the step */
  double head_error;  /* metres: largest distance of the head from the target */
  double most_strain; /* largest resisted change of a link's length */
  double lowest;      /* metres: least height of any particle */
} sim_strand;

/* Parameters of every strand, for a scene's list. */
#define SIM_STRAND_PARAMS                                                                        \
  {"mass", "kilograms of the rope", SIM_NUMBER, 0.1, 1e-6, 1e6, NULL},                           \
      {"release", "second at which the head is let go; 0 = never", SIM_NUMBER, 0, 0, 1e6, NULL}, \
      {"damping", "1/seconds: how fast velocity fades", SIM_NUMBER, 0.5, 0, 1000, NULL},         \
      {"target",      "what the head follows with ends=one", SIM_CHOICE, SIM_PATH_CIRCLE, 0, 0,  \
       sim_path_kinds},                                                                          \
      {"radius", "metres of the circle or the eight", SIM_NUMBER, 0.5, 0, 1000, NULL},           \
      {"period", "seconds of a round of it", SIM_NUMBER, 4, 0.01, 1e6, NULL}, {                  \
    "path", "places of target=path: TIME X Y [Z], ... in seconds and metres from the start",     \
        SIM_TEXT, 0, 0, 0, (const char* const[]) {                                               \
      "1 0.5 0, 2 0.5 0.5, 3 0 0", NULL                                                          \
    }                                                                                            \
  }

/* One end held, or both. */
enum { SIM_ENDS_ONE, SIM_ENDS_BOTH };
extern const char* const sim_strand_ends[];

/* Reads these parameters, and "links", "length", "load" and "ends". */
bool sim_strand_read(const sim_values* values, sim_strand* strand, weft_world_def* def,
                     tool_message* why);

/* Adds it to an empty scene at strand->positions [link_count + 1][3]. */
bool sim_strand_add(sim_strand* strand, weft_scene* scene, tool_message* why);

/* Visits what leads it: see sim_scene.keep. */
void sim_strand_keep(void* state, sim_keep* keep);

void sim_strand_free(sim_strand* strand);

/* Leads the head, or lets it go, and measures the last step. */
bool sim_strand_before_step(weft_world* world, const sim_moment* moment, sim_strand* strand,
                            tool_message* why);

/* sim_scene.input: the head follows a point from now on. */
bool sim_strand_input(weft_world* world, void* strand, const sim_input* input, tool_message* why);

/* Measures the state, as before a step. */
bool sim_strand_look(const weft_world* world, sim_strand* strand, tool_message* why);

/* Length of a link, and of all, as last read, metres. */
double sim_strand_link_length(const sim_strand* strand, uint32_t link);
double sim_strand_length(const sim_strand* strand);

void sim_strand_report(const sim_strand* strand, sim_results* results);

#endif
