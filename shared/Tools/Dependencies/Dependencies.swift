// The target `Dependencies` has no code: building it compiles the packages that Madang depends on, and nothing of
// Madang.
