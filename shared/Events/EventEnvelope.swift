import Contracts
package import FoundationEssentials

/// An event on the wire.
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

/// The body of `POST /internal/events`: `{"events":[…]}`, or one event without the list. All events are applied
/// together, in order, or none.
package struct EventBatch<Item: Decodable & Sendable>: Decodable, Sendable {
    package var events: [Item]

    private enum CodingKeys: CodingKey {
        case events
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.events =
            container.contains(.events)
            ? try container.decode([Item].self, forKey: .events) : [try Item(from: decoder)]
    }
}

/// The path at which every service receives events.
package enum EventPath {
    package static let path = "/internal/events"
}
