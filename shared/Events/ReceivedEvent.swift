import Apps
import Contracts
import FoundationEssentials
import ServiceKit

/// A received event, decoded by the subscription of its name.
struct ReceivedEvent: Sendable {
    let id: UUID
    let body: any Event
    let subscription: Subscription
    /// The span that published it.
    let trace: TraceContext?

    /// Decodes the events of a request, in order; a failure is that of one event.
    ///
    /// - Throws: `Problem` for a body that is not a list of events, or an event of another publisher.
    static func events(
        in data: Data,
        heardBy audience: Audience
    ) throws -> [Result<ReceivedEvent, EventRefusals.Refusal>] {
        let decoder = JSONDecoder()
        if let key = Audience.key { decoder.userInfo[key] = audience }
        do {
            return try decoder.decode(EventBatch<Item>.self, from: data).events.map(\.outcome)
        } catch is DecodingError {
            throw Problem(.malformed, message: "An event has an id and a name.")
        }
    }

    private struct Item: Decodable {
        let outcome: Result<ReceivedEvent, EventRefusals.Refusal>

        private enum CodingKeys: CodingKey {
            case id, name, trace
        }

        init(from decoder: any Decoder) throws {
            let envelope = try decoder.container(keyedBy: CodingKeys.self)
            let id = try envelope.decode(UUID.self, forKey: .id)
            let name = try envelope.decode(String.self, forKey: .name)
            let audience = Audience.key.flatMap { decoder.userInfo[$0] } as? Audience
            guard audience?.hears(name) == true else {
                throw Problem(.forbidden, message: "\(name) is not announced by this caller.")
            }
            guard let subscription = audience?.subscriptions[name] else {
                let message = "\(name) is not subscribed to"
                outcome = .failure(.init(id: id, reason: .unsubscribed, message: message))
                return
            }
            do {
                let body = try subscription.decode(decoder)
                let trace = (try? envelope.decode(String.self, forKey: .trace)).flatMap { TraceContext(header: $0) }
                outcome = .success(ReceivedEvent(id: id, body: body, subscription: subscription, trace: trace))
            } catch DecodingError.keyNotFound, DecodingError.typeMismatch, DecodingError.valueNotFound {
                let message = "\(name) has not the fields that it should have"
                outcome = .failure(.init(id: id, reason: .malformed, message: message))
            } catch {
                // An event only gains optional fields, but a field may gain values.
                let message = "\(name) has a value that is not known"
                outcome = .failure(.init(id: id, reason: .unsupported, message: message))
            }
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
