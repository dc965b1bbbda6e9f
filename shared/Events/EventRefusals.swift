package import FoundationEssentials

/// The body of the inbox's 422 response: the events because of which it refused a request. Nothing of the request was
/// applied; without these events it can be.
package struct EventRefusals: Codable, Sendable {
    package static let status = 422

    /// Empty if it is not known which of several events is the cause.
    package var refusals: [Refusal]

    package init(refusals: [Refusal]) {
        self.refusals = refusals
    }

    package struct Refusal: Codable, Error, Sendable, Equatable {
        /// The event's id.
        package var id: UUID
        package var reason: Reason
        /// The cause for an operator, without values of the event.
        package var message: String

        package init(id: UUID, reason: Reason, message: String) {
            self.id = id
            self.reason = reason
            self.message = message
        }
    }

    package enum Reason: String, Codable, Sendable {
        /// The service has no subscription of this name, or not yet: it may be older than the publisher.
        case unsubscribed
        /// The event has a value that the service does not know, or not yet.
        case unsupported
        /// The event breaks a rule that does not depend on versions. Only such events are parked.
        case malformed

        /// A reason that is added later is treated as `unsupported`.
        package init(from decoder: any Decoder) throws {
            self = Reason(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unsupported
        }
    }
}
