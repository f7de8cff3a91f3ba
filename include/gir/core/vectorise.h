#pragma once

/// On a function: compile it once for every width of vectors and let the program choose when it starts. One binary
/// then runs everywhere and is fast where it can be. Sanitizers cannot look into the choice.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GIR_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GIR_VECTORISED
#endif
