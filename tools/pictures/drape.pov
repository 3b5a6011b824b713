// weft-sim run drape-sphere --set size=129 --set cloth=true --substeps 24 --seconds 3
#include "studio.inc"

camera { location <1.15, 1.3, -3.2> look_at <0, -0.06, 0> angle 32 right x*4/3 }
cloth_of(srgb <0.80, 0.28, 0.25>, srgb <0.55, 0.22, 0.30>)
sphere { 0, 0.5 pigment { color srgb <0.93, 0.93, 0.9> } finish { diffuse 0.8 } }
ground(-0.66)
