import Contracts
import ServiceKit

/// The events of all services that wait for a subscriber, or are parked.
struct Outboxes: Sendable {
    let clients: [ServiceName: InternalClient]

    struct Waiting: Sendable {
        var service: ServiceName
        /// The oldest ones; nil if the service does not answer.
        var page: OutboxAPI.Page?
    }

    /// Asks all services at once.
    func waiting() async -> [Waiting] {
        await withTaskGroup(of: Waiting.self) { group in
            for (service, client) in clients {
                group.addTask {
                    let path = OutboxAPI.Page.path(subscriber: nil, parked: nil, after: 0)
                    let page = try? await client.get(path, as: OutboxAPI.Page.self, deadline: .seconds(2))
                    return Waiting(service: service, page: page)
                }
            }
            let all = await group.reduce(into: []) { $0.append($1) }
            return ServiceName.ofApps.compactMap { service in all.first { $0.service == service } }
        }
    }

    /// Has the deliveries of an event tried at once.
    ///
    /// - Returns: How many there are; nil if the service does not know the event, or is none.
    /// - Throws: `InternalCallError`.
    func retry(_ number: Int64, of service: ServiceName, by name: String) async throws -> Int? {
        guard let client = clients[service] else { return nil }
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
