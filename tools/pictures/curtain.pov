// weft-sim run curtain --set columns=121 --set rows=81 --seconds 0.65
#include "studio.inc"

camera { location <-0.6, 0.75, -6.4> look_at <1.44, -1.08, 0> angle 31 right x*4/3 }
cloth_of(srgb <0.20, 0.48, 0.56>, srgb <0.16, 0.34, 0.42>)
cylinder {
  <-0.15, 0.02, 0>, <3.15, 0.02, 0>, 0.02
  pigment { color srgb <0.5, 0.4, 0.3> }
  finish { diffuse 0.8 }
}
ground(-2.5)
