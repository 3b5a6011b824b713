# Included by tests/CMakeLists.txt. A library built for a sanitizer cannot be used without it.
if(NOT WEFT_SANITIZE AND WEFT_INSTALL)
  add_test(NAME installed_library
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(installed_library PROPERTIES ENVIRONMENT
    "CC=${CMAKE_C_COMPILER};CMAKE_GENERATOR=${CMAKE_GENERATOR}")
endif()

# one build tree is as good as another for this
if(NOT WEFT_SANITIZE AND CMAKE_GENERATOR STREQUAL "Ninja")
  add_test(NAME subproject COMMAND ${CMAKE_CURRENT_LIST_DIR}/subproject.sh)
  set_tests_properties(subproject PROPERTIES ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endif()
