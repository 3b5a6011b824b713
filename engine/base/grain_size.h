/* Grain size of parallel work. Fuzzing builds, with WEFT_FINE_GRAIN, use small grains, so that
 * small scenes have many patches, colours and workers. They compute different bits. */
#ifndef WEFT_BASE_GRAIN_SIZE_H
#define WEFT_BASE_GRAIN_SIZE_H

#ifdef WEFT_FINE_GRAIN
#define WEFT__GRAIN(usual, fine) (fine)
#else
#define WEFT__GRAIN(usual, fine) (usual)
#endif

#endif
