import Contracts
import ServiceKit

/// The events of all services that wait for a subscriber, or are parked.
struct Outboxes: Sendable {
    let services: Services

    struct Waiting: Sendable {
        var service: ServiceName
        /// The oldest ones; nil if the service does not answer.
        var page: OutboxAPI.Page?
    }

    func waiting() async -> [Waiting] {
        let path = OutboxAPI.Page.path(subscriber: nil, parked: nil, after: 0)
        return await services.ask(path, as: OutboxAPI.Page.self).map { Waiting(service: $0, page: $1) }
    }

    /// Has the deliveries of an event tried at once.
    ///
    /// - Returns: How many there are; nil if the service does not know the event, or is none.
    /// - Throws: `InternalCallError`.
    func retry(_ number: Int64, of service: ServiceName, by name: String) async throws -> Int? {
        guard let client = services[service] else { return nil }
        do {
            let outcome: OutboxAPI.Outcome = try await client.post(
                OutboxAPI.Intervention.retryPath(number),
                OutboxAPI.Intervention(subscriber: nil, by: name),
                as: OutboxAPI.Outcome.self,
                repeatable: true
            )
            return outcome.deliveries
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        }
    }
}
