import AppWire
import Contracts
import FoundationEssentials

/// An event as it arrives: decoded once, as what the subscription of its name takes.
struct HeardEvent: Decodable, Sendable {
    let id: UUID
    let body: any Event
    let subscription: Subscription

    private enum CodingKeys: CodingKey {
        case id, name
    }

    /// Reads what a process says.
    ///
    /// - Throws: `Problem` where it is no event, or one that the process does not announce, or that is not subscribed to, or
    ///   has not its fields.
    static func events(in data: Data, heardBy audience: Audience) throws -> [HeardEvent] {
        let decoder = JSONDecoder()
        if let key = Audience.key { decoder.userInfo[key] = audience }
        do {
            return try decoder.decode(EventBatch<HeardEvent>.self, from: data).events
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

    /// Who listens, to whom.
    struct Audience: Sendable {
        /// Where a decoder keeps it.
        static let key = CodingUserInfoKey(rawValue: "audience")

        let subscriptions: [String: Subscription]
        /// The name of the process that speaks; nil for a phone.
        let caller: String?

        /// A process announces only its own events.
        func hears(_ name: String) -> Bool {
            caller.map { name.hasPrefix("\($0).") } ?? false
        }
    }
}
