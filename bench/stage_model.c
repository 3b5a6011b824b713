#include "stage_model.h"

#include <math.h>

static bench_stage_cost cost_of_links(const weft_world_stats* world) {
  const double particles = (double)world->particle_count, links = (double)world->link_count;
  const double substeps = (double)world->substeps;
  const double sweeps = substeps * (double)world->iterations;
  const double in_runs =
      world->group_count > 0 ? (double)world->run_group_count / (double)world->group_count : 1.0;
  return (bench_stage_cost){
      substeps * 52.0 * particles + sweeps * (28.0 * particles + 12.0 * links * (1.0 - in_runs)),
      substeps * 18.0 * particles + sweeps * 23.0 * links};
}

bench_stage_cost bench_stage_cost_of(weft_stage stage, const weft_world_stats* world,
                                     const weft_contact_stats* contacts) {
  const double substeps = (double)world->substeps;
  const double particles = substeps * (double)world->particle_count;
  switch (stage) {
    case WEFT_STAGE_LINKS:
      return cost_of_links(world);
    case WEFT_STAGE_SELF_COLLISION: {
      const double ends = 2.0 * substeps * (double)contacts->self_pairs;
      return (bench_stage_cost){16.0 * ends, 11.0 * ends};
    }
    case WEFT_STAGE_PARTICLE_CONTACTS: {
      const double pairs = substeps * (double)contacts->particle_pairs;
      return (bench_stage_cost){40.0 * pairs, 11.0 * pairs};
    }
    case WEFT_STAGE_COLLIDERS:
      return (bench_stage_cost){16.0 * particles,
                                9.0 * particles * (double)contacts->collider_count};
    default:
      return (bench_stage_cost){(double)NAN, (double)NAN};
  }
}
