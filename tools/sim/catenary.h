/* Catenary of an inextensible rope held at both ends, gravity along -y. */
#ifndef TOOLS_SIM_CATENARY_H
#define TOOLS_SIM_CATENARY_H

typedef struct sim_catenary {
  double from[3];
  double length;
  double rise;     /* metres from one end up to the other */
  double width;    /* metres between the ends, seen from above */
  double along[2]; /* unit vector in x and z to the other end */
  double scale;    /* y = scale cosh((x - middle) / scale); 0 = straight, or folded */
  double middle;
} sim_catenary;

/* A rope no longer than the distance of its ends is straight. */
sim_catenary sim_catenary_between(const double from[3], const double to[3], double length);

/* The point so many metres along it, from `from`. */
void sim_catenary_at(const sim_catenary* catenary, double distance, double place[3]);

#endif
