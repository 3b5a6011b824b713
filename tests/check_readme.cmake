# The C example of the README, or of a page, is a file of the tests, which is compiled and run, to the letter.
# Run as: cmake -DREADME=... -DEXAMPLE=... -P check_readme.cmake
if(NOT EXISTS ${README})
  message(STATUS "there is no README yet")
  return()
endif()
file(READ ${README} readme)
file(READ ${EXAMPLE} example)
string(FIND "${readme}" "```c\n${example}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${README} has no ```c block that is ${EXAMPLE} to the letter")
endif()
