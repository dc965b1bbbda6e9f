package import Contracts
package import ServiceKit

/// A subscribing service, as seen by the publisher.
package struct Subscriber: Sendable {
    package var name: ServiceName
    /// The names of the events (`Event.name`).
    package var events: Set<String>
    package var client: InternalClient

    package init(_ name: ServiceName, to events: [any Event.Type], client: InternalClient) {
        self.name = name
        self.events = Set(events.map { $0.name })
        self.client = client
    }
}
