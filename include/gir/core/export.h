#pragma once

/// Before a class or function of the API: it is visible outside of the library that defines it. Everything else is
/// hidden, so that the libraries load fast and internals can change without breaking programs.
#define GIR_API __attribute__((visibility("default")))
