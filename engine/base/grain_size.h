/* Fuzzing builds (WEFT_FINE_GRAIN) cut small scenes into many patches and colours: other bits. */
#ifndef WEFT_BASE_GRAIN_SIZE_H
#define WEFT_BASE_GRAIN_SIZE_H

#ifdef WEFT_FINE_GRAIN
#define WEFT__GRAIN(usual, fine) (fine)
#else
#define WEFT__GRAIN(usual, fine) (usual)
#endif

#endif
