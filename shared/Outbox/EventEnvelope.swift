import Contracts
package import FoundationEssentials

/// An event on the wire: the body of `POST /internal/events`.
package struct EventEnvelope<Body: Codable & Sendable>: Codable, Sendable {
    /// The same for every delivery of the event.
    package var id: UUID
    /// `Event.name`.
    package var name: String
    package var body: Body

    package init(id: UUID, name: String, body: Body) {
        self.id = id
        self.name = name
        self.body = body
    }
}

/// The path at which every service hears of events.
package enum EventPath {
    package static let path = "/internal/events"
}
