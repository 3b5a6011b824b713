// weft-sim run ragdolls --set flat=false --set count=9 --set drop=1.2 --set seed=6 --seconds 0.8
#include "studio.inc"

camera { location <-6.2, 2.6, -6.2> look_at <-0.4, 0.86, 3> angle 38 right x*4/3 }

// head, neck and so on: 21 particles and 14 bones a figure
#declare figures = dimension_size(places, 1) / 21;
#declare colours = array[4] {
  srgb <0.80, 0.28, 0.25>, srgb <0.20, 0.48, 0.56>, srgb <0.86, 0.62, 0.22>, srgb <0.42, 0.36, 0.58>
}
#for (figure, 0, figures - 1)
  union {
    #for (bone, 14 * figure, 14 * figure + 13)
      #local a = places[limbs[bone][0]];
      #local b = places[limbs[bone][1]];
      cylinder { a, b, 0.055 }
      sphere { a, 0.055 }
      sphere { b, 0.055 }
    #end
    sphere { places[21 * figure], 0.114 }
    translate 8*z
    pigment { color colours[mod(figure, 4)] }
    finish { diffuse 0.8 specular 0.06 roughness 0.06 }
  }
#end
ground(0)
