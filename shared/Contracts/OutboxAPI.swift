package import FoundationEssentials

/// Every service's API for operators, about the events that it publishes. Only `stack` may call it, and the console
/// its list and the retry of one event.
package enum OutboxAPI {
    package static let path = "/internal/outbox"

    /// A delivery that waits or is parked; never the event's body.
    package struct Entry: Codable, Sendable, Equatable {
        /// The event's number in this outbox.
        package var number: Int64
        /// The event's id, the same in every service.
        package var event: UUID
        package var subscriber: String
        package var name: String
        package var key: String
        /// Seconds since the publication.
        package var age: Double
        package var refusals: Int
        package var isParked: Bool
        /// Why the last attempt failed; nil before the first failure.
        package var error: String?

        package init(
            number: Int64,
            event: UUID,
            subscriber: String,
            name: String,
            key: String,
            age: Double,
            refusals: Int,
            isParked: Bool,
            error: String?
        ) {
            self.number = number
            self.event = event
            self.subscriber = subscriber
            self.name = name
            self.key = key
            self.age = age
            self.refusals = refusals
            self.isParked = isParked
            self.error = error
        }
    }

    /// `GET /internal/outbox?subscriber=NAME&parked=BOOL&after=NUMBER`: what waits, oldest first.
    package struct Page: Codable, Sendable, Equatable {
        package static func path(subscriber: String?, parked: Bool?, after number: Int64) -> String {
            let subscriber = subscriber.map { "&subscriber=\($0)" } ?? ""
            let parked = parked.map { "&parked=\($0)" } ?? ""
            return "\(OutboxAPI.path)?after=\(number)\(subscriber)\(parked)"
        }

        package var entries: [Entry]
        /// Whether there are more after the number of the last entry.
        package var hasMore: Bool

        package init(entries: [Entry], hasMore: Bool) {
            self.entries = entries
            self.hasMore = hasMore
        }
    }

    /// `GET /internal/outbox/NUMBER`: an event with its body; 404 for one that is not stored.
    package struct StoredEvent: Codable, Sendable, Equatable {
        package static func path(_ number: Int64) -> String { "\(OutboxAPI.path)/\(number)" }

        /// The deliveries that are not confirmed.
        package var entries: [Entry]
        /// JSON text.
        package var body: String

        package init(entries: [Entry], body: String) {
            self.entries = entries
            self.body = body
        }
    }

    /// `POST /internal/outbox/NUMBER/retry` makes the deliveries of an event due, `…/drop` deletes them, and
    /// `POST /internal/outbox/retry` makes all parked deliveries due.
    package struct Intervention: Codable, Sendable, Equatable {
        package static let retryParkedPath = "\(OutboxAPI.path)/retry"
        package static func retryPath(_ number: Int64) -> String { "\(OutboxAPI.path)/\(number)/retry" }
        package static func dropPath(_ number: Int64) -> String { "\(OutboxAPI.path)/\(number)/drop" }

        /// nil for all subscribers.
        package var subscriber: String?
        /// The name of the operator, for the log.
        package var by: String
        /// Required to drop an event.
        package var reason: String?

        package init(subscriber: String?, by operatorName: String, reason: String? = nil) {
            self.subscriber = subscriber
            self.by = operatorName
            self.reason = reason
        }
    }

    /// `POST /internal/outbox/replay`: delivers events once more to a subscriber whose database was restored, a page at a
    /// time. It applies those that it does not know.
    package struct Replay: Codable, Sendable, Equatable {
        package static let path = "\(OutboxAPI.path)/replay"

        package var subscriber: String
        /// Events published earlier are left out; in seconds since 1970, and less than a week ago.
        package var since: Double
        /// The number of the event before the page.
        package var after: Int64
        /// The name of the operator, for the log.
        package var by: String

        package init(subscriber: String, since: Double, after number: Int64, by operatorName: String) {
            self.subscriber = subscriber
            self.since = since
            self.after = number
            self.by = operatorName
        }

        package struct Page: Codable, Sendable, Equatable {
            /// The number of deliveries that are made once more.
            package var deliveries: Int
            /// The number of the last event that was looked at; nil if there are no more.
            package var last: Int64?

            package init(deliveries: Int, last: Int64?) {
                self.deliveries = deliveries
                self.last = last
            }
        }
    }

    /// The response to an intervention.
    package struct Outcome: Codable, Sendable, Equatable {
        /// The number of deliveries that it affected.
        package var deliveries: Int

        package init(deliveries: Int) {
            self.deliveries = deliveries
        }
    }
}
