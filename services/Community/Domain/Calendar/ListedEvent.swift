import Values

/// An event from the view of one user.
struct ListedEvent: Sendable, Equatable {
    var event: CulturalEvent
    var isFavourite: Bool
    /// Metres from the filter's origin; nil without an origin or a position.
    var distance: Double?

    init(_ event: CulturalEvent, isFavourite: Bool, near place: Coordinate? = nil) {
        self.event = event
        self.isFavourite = isFavourite
        if let place, let other = event.place { distance = place.distance(to: other) }
    }
}
