import Apps
import Contracts
import FoundationEssentials

/// A received event, decoded by the subscription of its name.
struct ReceivedEvent: Decodable, Sendable {
    let id: UUID
    let body: any Event
    let subscription: Subscription

    private enum CodingKeys: CodingKey {
        case id, name
    }

    /// Decodes the events of a request.
    ///
    /// - Throws: `Problem` for a body that is not an event, an event of another publisher, an event without a
    ///   subscription, or missing fields.
    static func events(in data: Data, heardBy audience: Audience) throws -> [ReceivedEvent] {
        let decoder = JSONDecoder()
        if let key = Audience.key { decoder.userInfo[key] = audience }
        do {
            return try decoder.decode(EventBatch<ReceivedEvent>.self, from: data).events
        } catch is DecodingError {
            throw Problem(.malformed, message: "An event has an id and a name.")
        }
    }

    init(from decoder: any Decoder) throws {
        let envelope = try decoder.container(keyedBy: CodingKeys.self)
        self.id = try envelope.decode(UUID.self, forKey: .id)
        let name = try envelope.decode(String.self, forKey: .name)
        let audience = Audience.key.flatMap { decoder.userInfo[$0] } as? Audience
        guard audience?.hears(name) == true else {
            throw Problem(.forbidden, message: "\(name) is not announced by this caller.")
        }
        guard let subscription = audience?.subscriptions[name] else {
            throw Problem(.invalid, message: "\(name) is not subscribed to.")
        }
        self.subscription = subscription
        do {
            self.body = try subscription.decode(decoder)
        } catch is DecodingError {
            throw Problem(.invalid, message: "\(name) has not the fields that it should have.")
        }
    }

    /// The subscriptions of the receiver and the name of the publisher.
    struct Audience: Sendable {
        /// The key in the decoder's `userInfo`.
        static let key = CodingUserInfoKey(rawValue: "audience")

        let subscriptions: [String: Subscription]
        /// The name of the calling process; nil for a client.
        let caller: String?

        /// Whether the caller may publish the event; a process publishes only its own events.
        func hears(_ name: String) -> Bool {
            caller.map { name.hasPrefix("\($0).") } ?? false
        }
    }
}
