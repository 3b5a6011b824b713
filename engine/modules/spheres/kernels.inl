#include "modules/spheres/kernels.h"
#include "modules/spheres/particle_contact.h"

#include "modules/spheres/particle_contacts.inl"
#include "modules/spheres/sphere_pairs.inl"

static const weft__body_kernels bodies_kernels = {
    .make_sphere_contacts = make_sphere_contacts,
    .solve_contacts = solve_contacts,
    .solve_turning_contacts = solve_turning_contacts,
};
