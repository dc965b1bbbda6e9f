/// The names of events that a subscriber has just refused as not subscribed to. Until a pause is over, further events
/// of these names are postponed without a request.
struct HeldNames: Sendable {
    private var ends: [String: ContinuousClock.Instant] = [:]

    mutating func hold(_ name: String, until end: ContinuousClock.Instant) {
        ends[name] = end
    }

    func isHeld(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        ends[name].map { $0 > now } ?? false
    }
}
