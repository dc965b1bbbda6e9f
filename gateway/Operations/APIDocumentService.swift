import Contracts
import ServiceKit
import ServiceLifecycle

/// Collects the API documents of the running services, periodically and whenever the set of running services changes.
struct APIDocumentService: Service {
    let clients: [ServiceName: InternalClient]
    let directory: UpstreamDirectory
    let pages: LocalPages
    /// nil for pages that send no calls.
    let tryIt: TryIt?
    /// How often the set of running services is checked.
    let interval: Duration

    /// The number of intervals after which documents are fetched again even if the same services run.
    private static let longestPeriod = 60

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var documents: [ServiceName: JSONValue] = [:]
            var intervals = 0
            while !Task.isCancelled {
                intervals += 1
                let serving = self.serving
                if serving != Set(documents.keys) || intervals > Self.longestPeriod {
                    let previous = documents
                    documents = await self.gather(serving)
                    if documents != previous { pages.set(Documentation(documents, tryIt: tryIt)) }
                    intervals = 0
                }
                try? await Task.sleep(for: interval)
            }
        }
    }

    private var serving: Set<ServiceName> {
        Set(directory.current.filter { $0.value.contains(where: \.isServing) }.keys)
    }

    /// - Returns: The documents of the services that returned theirs.
    private func gather(_ services: Set<ServiceName>) async -> [ServiceName: JSONValue] {
        await withTaskGroup(of: (ServiceName, JSONValue?).self) { group in
            for service in services {
                let client = clients[service]
                group.addTask { (service, try? await client?.get("/internal/openapi.json", as: JSONValue.self)) }
            }
            return await group.reduce(into: [ServiceName: JSONValue]()) { $0[$1.0] = $1.1 }
        }
    }
}
