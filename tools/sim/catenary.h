/* The curve in which a rope hangs that gives way to nothing but bending, held at both ends, gravity
 * along -y. */
#ifndef TOOLS_SIM_CATENARY_H
#define TOOLS_SIM_CATENARY_H

typedef struct sim_catenary {
  double from[3];
  double length;
  double rise;     /* metres: how much higher the other end is */
  double width;    /* metres to the other end, as seen from above */
  double along[2]; /* unit vector in x and z to it */
  double scale;    /* y = scale cosh((x - middle) / scale); 0 = it is straight, or folds */
  double middle;
} sim_catenary;

/* One whose ends are as far from each other as it is long, or farther, is straight. */
sim_catenary sim_catenary_between(const double from[3], const double to[3], double length);

/* The place that is so many metres along it, from `from`. */
void sim_catenary_at(const sim_catenary* catenary, double distance, double place[3]);

#endif
