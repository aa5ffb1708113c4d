# find_package(cladpy), with cladpy_DIR or CMAKE_PREFIX_PATH from `cladpy --cmake-dir`. See docs/builds.md of cladpy.
include("${CMAKE_CURRENT_LIST_DIR}/CladpyGradient.cmake")
