/// A filter of listings (Anlaka contract 4.1). Nil fields do not restrict; bounds are inclusive.
struct ListingFilter: Sendable, Hashable {
    /// Any text; an unknown category matches nothing.
    var category: String?
    /// Square metres.
    var area = Bounds()
    /// Won per month.
    var rent = Bounds()
    /// Won.
    var deposit = Bounds()

    struct Bounds: Sendable, Hashable {
        var least: Double?
        var most: Double?
    }
}
