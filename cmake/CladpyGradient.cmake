#[[
Gradients of CUDA C++ in a build. Needs CMake 3.20.

  cladpy_add_gradient(<target> SOURCES <file>... FUNCTION <name>
    [ARGS <names>] [TARGET cuda|hip|host|kokkos] [OUTPUT <file>] [STANDARD c++17]
    [INCLUDE_DIRECTORIES <folder>...] [DEFINITIONS <NAME[=VALUE]>...] [OPTIONS <option>...]
    [NAMESPACE <name>] [INLINE | HEADER] [NO_TARGET_PROPERTIES])

differentiates a function when <target> is built, and again when a file that it was made of has changed. The target
finds the result by `#include "<function>_grad.cu"`, or with HEADER compiles it and finds `<function>_grad.h`. docs/builds.md of cladpy describes it.

CLADPY_PYTHON is the interpreter that has cladpy.
]]

include_guard(GLOBAL)
if(CMAKE_VERSION VERSION_LESS 3.20)
  message(FATAL_ERROR "cladpy needs CMake 3.20 for dependency files; this is ${CMAKE_VERSION}")
endif()
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

if(NOT CLADPY_PYTHON)
  if(Python3_EXECUTABLE)
    set(_cladpy_python "${Python3_EXECUTABLE}")
  elseif(Python_EXECUTABLE)
    set(_cladpy_python "${Python_EXECUTABLE}")
  else()
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(_cladpy_python "${Python3_EXECUTABLE}")
  endif()
  set(CLADPY_PYTHON "${_cladpy_python}" CACHE FILEPATH "The Python interpreter that has cladpy")
  unset(_cladpy_python)
endif()

# The folders that emitted code includes from, as the property cladpy_<kind>_directories.
foreach(_cladpy_kind IN ITEMS cuda hip host kokkos)
  execute_process(
    COMMAND "${CLADPY_PYTHON}" -c "import cladpy; print(';'.join(cladpy.include_dirs('${_cladpy_kind}')))"
    OUTPUT_VARIABLE _cladpy_folders ERROR_VARIABLE _cladpy_error RESULT_VARIABLE _cladpy_failed
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(_cladpy_failed)
    message(FATAL_ERROR "'${CLADPY_PYTHON}' cannot import cladpy: set CLADPY_PYTHON to the interpreter that has it, "
                        "or install it there.\n${_cladpy_error}")
  endif()
  set_property(GLOBAL PROPERTY cladpy_${_cladpy_kind}_directories "${_cladpy_folders}")
endforeach()
unset(_cladpy_kind)
unset(_cladpy_folders)
unset(_cladpy_error)
unset(_cladpy_failed)

function(cladpy_add_gradient target)
  set(single FUNCTION ARGS TARGET OUTPUT STANDARD NAMESPACE)
  set(several SOURCES INCLUDE_DIRECTORIES DEFINITIONS OPTIONS)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_TARGET_PROPERTIES;INLINE;HEADER" "${single}" "${several}")
  _cladpy_check_arguments()

  # ---- what is made, and where
  if(NOT arg_OUTPUT)
    string(REGEX REPLACE "[^A-Za-z0-9_]+" "_" name "${arg_FUNCTION}")
    string(REGEX REPLACE "^_?(.*[^_])_*$" "\\1" name "${name}")
    set(arg_OUTPUT "${name}_grad.cu")
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/cladpy_gradients/${target}")
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configurations)
    string(APPEND folder "/$<CONFIG>")  # definitions may differ
  endif()
  set(output "${folder}/${arg_OUTPUT}")
  get_target_property(made ${target} CLADPY_GRADIENTS)
  if(arg_OUTPUT IN_LIST made)
    message(FATAL_ERROR "${target} has a gradient in ${arg_OUTPUT} already: say OUTPUT for another name")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY CLADPY_GRADIENTS "${arg_OUTPUT}")

  # ---- the program, as the target's compiler reads it
  _cladpy_find_sources(source sources)
  if(NOT arg_STANDARD)
    _cladpy_find_standard(arg_STANDARD)
  endif()
  get_property(own GLOBAL PROPERTY cladpy_${arg_TARGET}_directories)
  set(directories "${arg_INCLUDE_DIRECTORIES}")
  list(TRANSFORM directories REPLACE "^([^/$].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  target_include_directories(${target} PRIVATE "${folder}" ${directories})
  target_include_directories(${target} SYSTEM PRIVATE ${own})
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  set(definitions "${arg_DEFINITIONS}")
  if(NOT arg_NO_TARGET_PROPERTIES)
    _cladpy_pattern_of_cuda(pattern)
    set(directories "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,${pattern}>")
    set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  endif()
  # In a file, since only there what depends on the language has the value that the compiler is given.
  _cladpy_find_language(language)
  set(flags "$<$<BOOL:${directories}>:-I$<JOIN:${directories},\n-I>>\n")
  string(APPEND flags "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},\n-D>>\n")
  file(GENERATE OUTPUT "${output}.flags" CONTENT "${flags}" TARGET ${target} CONDITION "$<COMPILE_LANGUAGE:${language}>")

  set(command "${CLADPY_PYTHON}" -m cladpy gradient "${source}" -f "${arg_FUNCTION}")
  if(arg_ARGS)
    list(APPEND command --args "${arg_ARGS}")
  endif()
  list(APPEND command --target ${arg_TARGET} "-std=${arg_STANDARD}" ${arg_OPTIONS})
  if(arg_NAMESPACE)
    list(APPEND command --namespace "${arg_NAMESPACE}")
  endif()
  if(arg_INLINE)
    list(APPEND command --inline)
  endif()
  set(header "")
  if(arg_HEADER)
    list(APPEND command --header)
    string(REGEX REPLACE "\\.[^./]*$" ".h" header "${output}")
  endif()
  add_custom_command(
    OUTPUT "${output}" ${header}
    COMMAND ${command} "@${output}.flags" -o "${output}" --depfile "${output}.d"
    DEPENDS ${sources} "${output}.flags" DEPFILE "${output}.d"
    COMMENT "Differentiating ${arg_FUNCTION}"
    VERBATIM)

  # ---- the target: the file is included, and compiled on its own only where it has a header
  target_sources(${target} PRIVATE "${output}" ${header})
  set_source_files_properties("${output}" ${header} PROPERTIES GENERATED TRUE)
  if(arg_HEADER)
    set_source_files_properties("${output}" PROPERTIES LANGUAGE ${language})
  else()
    set_source_files_properties("${output}" PROPERTIES HEADER_FILE_ONLY TRUE)
  endif()
  _cladpy_prepare_compiler("${source}")
endfunction()

# The arguments in arg_*: stops with a message, or fills in what was left out.
macro(_cladpy_check_arguments)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "cladpy_add_gradient: there is no target '${target}'")
  endif()
  get_target_property(_folder ${target} SOURCE_DIR)
  if(NOT _folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "cladpy_add_gradient: call it in the folder that makes '${target}', ${_folder}")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cladpy_add_gradient: ${arg_UNPARSED_ARGUMENTS} is not understood; quote lists of names")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "cladpy_add_gradient: ${arg_KEYWORDS_MISSING_VALUES} needs a value")
  endif()
  if(NOT arg_SOURCES OR NOT arg_FUNCTION)
    message(FATAL_ERROR "cladpy_add_gradient needs SOURCES and FUNCTION")
  endif()
  if(NOT arg_TARGET)
    set(arg_TARGET cuda)
  endif()
  if(NOT arg_TARGET MATCHES "^(cuda|hip|host|kokkos)$")
    message(FATAL_ERROR "cladpy_add_gradient: TARGET is cuda, hip, host or kokkos, not ${arg_TARGET}")
  endif()
endmacro()

# The file that cladpy reads, and all that were named. Several become one translation unit, in their order.
function(_cladpy_find_sources result all)
  set(found "")
  set(text "")
  get_target_property(compiled ${target} SOURCES)
  list(TRANSFORM compiled REPLACE "^([^/$].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  foreach(name IN LISTS arg_SOURCES)
    get_filename_component(path "${name}" ABSOLUTE)
    list(APPEND found "${path}")
    string(APPEND text "#include \"${path}\"\n")
    if(path IN_LIST compiled)
      message(WARNING "${target} compiles ${name}, which the gradient includes: what it defines is there twice. "
                      "Take it from the target's sources.")
    endif()
  endforeach()
  list(LENGTH found count)
  if(count GREATER 1)
    if(arg_TARGET STREQUAL "host")
      message(FATAL_ERROR "cladpy_add_gradient: TARGET host takes one file, since the launches in it are rewritten")
    endif()
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/cladpy_gradients/${target}/sources_of_${arg_OUTPUT}")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "${text}" @ONLY)  # leaves a file alone that says the same
    set(${result} "${unit}" PARENT_SCOPE)
  else()
    set(${result} "${found}" PARENT_SCOPE)
  endif()
  set(${all} "${found}" PARENT_SCOPE)
endfunction()

# The C++ standard of the target, where it says one.
function(_cladpy_find_standard result)
  _cladpy_find_language(language)
  get_target_property(standard ${target} ${language}_STANDARD)
  if(NOT standard)
    set(standard 17)
  endif()
  set(${result} "c++${standard}" PARENT_SCOPE)
endfunction()

# What matches the folders of CUDA's headers, and of those that stand in for them in a build: cladpy has its own, which
# are quicker to read, and finds a toolkit itself.
function(_cladpy_pattern_of_cuda result)
  set(own "")
  foreach(kind IN ITEMS cuda hip host)
    get_property(folders GLOBAL PROPERTY cladpy_${kind}_directories)
    list(APPEND own ${folders})
  endforeach()
  list(APPEND own ${CUDAToolkit_INCLUDE_DIRS} ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  list(TRANSFORM own REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1")
  list(JOIN own "|" pattern)
  set(${result} "^(${pattern})/?$" PARENT_SCOPE)
endfunction()

# The language that the target compiles what includes the gradient in.
function(_cladpy_find_language result)
  string(TOUPPER "${arg_TARGET}" language)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT language IN_LIST enabled)
    set(language CXX)
  endif()
  set(${result} ${language} PARENT_SCOPE)
endfunction()

# Flags that the emitted code needs from the target's compiler.
function(_cladpy_prepare_compiler source)
  if(arg_TARGET STREQUAL "host")
    get_filename_component(beside "${source}" DIRECTORY)
    # The emitted file holds the text of the original, whose includes are looked for beside it. Sums are not contracted
    # to multiply-adds, so that values are those of the original.
    target_compile_options(${target} PRIVATE "SHELL:-iquote \"${beside}\"" -ffp-contract=off -pthread)
    target_link_options(${target} PRIVATE -pthread)
  endif()
  _cladpy_find_language(language)
  string(TOLOWER "${language}_std_17" feature)
  target_compile_features(${target} PRIVATE ${feature})
endfunction()

cmake_policy(POP)
