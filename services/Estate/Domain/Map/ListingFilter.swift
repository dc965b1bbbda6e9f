/// Which listings somebody wants to see; what is nil does not matter (Anlaka contract 4.1). Both ends count.
struct ListingFilter: Sendable, Hashable {
    /// Any text: one that no listing has finds nothing.
    var category: String?
    /// Square metres.
    var area = Bounds()
    /// Won a month.
    var rent = Bounds()
    /// Won.
    var deposit = Bounds()

    struct Bounds: Sendable, Hashable {
        var least: Double?
        var most: Double?
    }
}
