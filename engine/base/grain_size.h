/* Fuzzing builds (WEFT_FINE_GRAIN) cut small scenes into many patches, colours and workers. Their
 * bits differ. */
#ifndef WEFT_BASE_GRAIN_SIZE_H
#define WEFT_BASE_GRAIN_SIZE_H

#ifdef WEFT_FINE_GRAIN
#define WEFT__GRAIN(usual, fine) (fine)
#else
#define WEFT__GRAIN(usual, fine) (usual)
#endif

#endif
