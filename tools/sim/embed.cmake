# Writes scene files as texts of C: cmake -DOUT=FILE -DSCENES=A.json;B.json -P embed.cmake
set(text "/* Made of scenes by embed.cmake. */\n#include \"sim/scenes/texts.h\"\n")
foreach(scene ${SCENES})
  cmake_path(GET scene STEM name)
  file(READ ${scene} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "\nconst char sim_scene_text_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
