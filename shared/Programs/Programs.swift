// The target `Programs` has no code: to build it compiles and links every program that `make up` starts.
