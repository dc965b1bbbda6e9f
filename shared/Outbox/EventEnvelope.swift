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

/// What `POST /internal/events` takes: `{"events":[…]}`, or one event without the list. All of it takes effect together, in
/// its order, or nothing does.
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

/// The path at which every service hears of events.
package enum EventPath {
    package static let path = "/internal/events"
}
