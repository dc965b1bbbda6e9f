// The target `Programs` has no code: building it compiles and links every program that `make up` starts.
