// Nothing but the precompiled headers that all tests share (tests/CMakeLists.txt).
