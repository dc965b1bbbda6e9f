/// A request as the availability of its route counts it.
package struct RouteAnswer: Sendable, Hashable {
    /// The kind of route, such as "seats: read" or "chat: send".
    package var kind: String
    package var begun: Moment
    package var ended: Moment
    /// What there was instead of an answer before the phone gave up, such as "status 503", with the trace; nil if there was
    /// an answer.
    package var failure: String?

    package var isAnswered: Bool { failure == nil }

    package init(_ kind: String, begun: Moment, ended: Moment, failure: String? = nil) {
        (self.kind, self.begun, self.ended, self.failure) = (kind, begun, ended, failure)
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
