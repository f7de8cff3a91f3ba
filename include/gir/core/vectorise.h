#pragma once

/// On a function: compiles it once for each vector instruction set and selects one when the program starts, so that one
/// binary runs everywhere and uses AVX2 or AVX-512 where there is one. Off under sanitizers, which cannot instrument
/// the selection.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GIR_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GIR_VECTORISED
#endif
