#include "geometry/shape.h"

const weft__shape_row* const weft__shape_rows[WEFT__SHAPE_COUNT] = {
    [WEFT_COLLIDER_SHAPE_PLANE] = &weft__plane_row,
    [WEFT_COLLIDER_SHAPE_HALF_SPACE] = &weft__half_space_row,
    [WEFT_COLLIDER_SHAPE_SPHERE] = &weft__sphere_row,
    [WEFT_COLLIDER_SHAPE_CAPSULE] = &weft__capsule_row,
    [WEFT_COLLIDER_SHAPE_BOX] = &weft__box_row,
    [WEFT_COLLIDER_SHAPE_ELLIPSOID] = &weft__ellipsoid_row,
    [WEFT_COLLIDER_SHAPE_HULL] = &weft__hull_row,
    [WEFT_COLLIDER_SHAPE_HEIGHTFIELD] = &weft__heightfield_row,
    [WEFT_COLLIDER_SHAPE_MESH] = &weft__mesh_row,
    [WEFT_COLLIDER_SHAPE_DISTANCE_GRID] = &weft__distance_grid_row,
    [WEFT_COLLIDER_SHAPE_SUPPORT] = &weft__support_row,
};
