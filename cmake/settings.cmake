# What every target of ours has in common.
function(gir_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wnon-virtual-dtor;-Wold-style-cast>)
  # GCC 12 sees overflows inside std::string that are not there.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow;-Wno-array-bounds;-Wno-restrict>)
  endif()
  if(GIR_WERROR)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
  if(GIR_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${GIR_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    # What sanitizers put in confuses this warning.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    target_link_options(${target} PRIVATE -fsanitize=${GIR_SANITIZE})
  endif()
  # What is not marked GIR_API stays inside.
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
endfunction()
