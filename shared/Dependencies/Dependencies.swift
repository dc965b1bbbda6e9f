// The target `Dependencies` has no code: to build it compiles the packages that Madang stands on, and nothing of Madang.
