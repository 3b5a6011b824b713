/* How much work a piece has. Builds for fuzzing, with WEFT_FINE_GRAIN, make pieces small, so that scenes of tens of
 * particles have many patches, colours and workers. What such a build computes has other bits. */
#ifndef WEFT_BASE_GRAIN_H
#define WEFT_BASE_GRAIN_H

#ifdef WEFT_FINE_GRAIN
#define WEFT__GRAIN(usual, fine) (fine)
#else
#define WEFT__GRAIN(usual, fine) (usual)
#endif

#endif
