/// A request as the availability of its route counts it.
package struct RouteAnswer: Sendable, Hashable {
    /// The kind of route, such as "seats: read" or "chat: send".
    package var kind: String
    package var begun: Moment
    package var ended: Moment
    /// Whether there was an answer other than status 5xx before the phone gave up.
    package var isAnswered: Bool

    package init(_ kind: String, begun: Moment, ended: Moment, isAnswered: Bool) {
        (self.kind, self.begun, self.ended, self.isAnswered) = (kind, begun, ended, isAnswered)
    }
}

/// The time of a fault.
package struct FaultSpan: Sendable, Hashable {
    package var name: String
    package var begun: Moment
    /// When it was repaired, or the process was started again by what supervises it.
    package var ended: Moment
    /// The kinds of routes that depend on what has failed.
    package var kinds: Set<String>

    package init(_ name: String, begun: Moment, ended: Moment, kinds: Set<String>) {
        (self.name, self.begun, self.ended, self.kinds) = (name, begun, ended, kinds)
    }
}
