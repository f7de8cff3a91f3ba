// Only here to hold the precompiled headers of the tests.
