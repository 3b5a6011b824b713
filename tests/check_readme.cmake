# The README's C example is tests/example.c, which is compiled and run, to the letter.
# Run as: cmake -DREADME=... -DEXAMPLE=... -P check_readme.cmake
if(NOT EXISTS ${README})
  message(STATUS "there is no README yet")
  return()
endif()
file(READ ${README} readme)
file(READ ${EXAMPLE} example)
string(FIND "${readme}" "```c\n${example}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "README.md has no ```c block that is tests/example.c to the letter")
endif()
