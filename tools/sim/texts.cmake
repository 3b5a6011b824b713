# sim_texts: the scene files that are built in, as texts of C
file(GLOB sim_scene_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/scenes/*.json)
set(sim_texts ${CMAKE_CURRENT_BINARY_DIR}/scene_texts.c)
add_custom_command(OUTPUT ${sim_texts}
  COMMAND ${CMAKE_COMMAND} -DOUT=${sim_texts} "-DSCENES=${sim_scene_files}"
    -P ${CMAKE_CURRENT_LIST_DIR}/embed.cmake
  DEPENDS ${sim_scene_files} ${CMAKE_CURRENT_LIST_DIR}/embed.cmake
  VERBATIM)
