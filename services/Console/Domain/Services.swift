import Contracts
import ServiceKit

/// The services of the apps, as far as the console knows their addresses.
struct Services: Sendable {
    let clients: [ServiceName: InternalClient]

    private static let deadline = Duration.seconds(2)

    subscript(_ service: ServiceName) -> InternalClient? { clients[service] }

    /// Asks all services at once.
    ///
    /// - Returns: Their answers, in the order of the services; nil from one that does not answer.
    func ask<Answer: Decodable & Sendable>(
        _ path: String,
        as type: Answer.Type
    ) async -> [(service: ServiceName, answer: Answer?)] {
        let answers = await withTaskGroup(of: (ServiceName, Answer?).self) { group in
            for (service, client) in clients {
                group.addTask { (service, try? await client.get(path, as: Answer.self, deadline: Self.deadline)) }
            }
            return await group.reduce(into: [ServiceName: Answer?]()) { $0[$1.0] = $1.1 }
        }
        return ServiceName.ofApps.compactMap { service in answers[service].map { (service, $0) } }
    }
}
