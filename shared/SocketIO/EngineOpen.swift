/// Placeholder of the room; replaced with the library.
enum EngineOpen {}
