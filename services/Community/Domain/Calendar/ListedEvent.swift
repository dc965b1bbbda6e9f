import Geography

/// An event as one person sees it.
struct ListedEvent: Sendable, Equatable {
    var event: CulturalEvent
    var isFavourite: Bool
    /// Metres from where the person looks; nil when that, or where the event is, is not known.
    var distance: Double?

    init(_ event: CulturalEvent, isFavourite: Bool, near place: Coordinate? = nil) {
        self.event = event
        self.isFavourite = isFavourite
        if let place, let other = event.place { distance = place.distance(to: other) }
    }
}
