import Contracts
import FoundationEssentials
import Logging
import NIOCore
import ServiceKit
import ServiceLifecycle

/// Collects the API documents of the running services, periodically and whenever the set of running services changes.
struct APIDocumentService: Service {
    let clients: [ServiceName: InternalClient]
    let directory: UpstreamDirectory
    let pages: LocalPages
    /// How often the set of running services is checked.
    let interval: Duration
    let logger: Logger

    /// The number of intervals after which documents are fetched again even if the same services run.
    private static let longestPeriod = 60

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var documented: Set<ServiceName> = []
            var intervals = 0
            while !Task.isCancelled {
                intervals += 1
                let serving = self.serving
                if serving != documented || intervals > Self.longestPeriod {
                    documented = await self.gather(serving)
                    intervals = 0
                }
                try? await Task.sleep(for: interval)
            }
        }
    }

    private var serving: Set<ServiceName> {
        Set(directory.current.filter { $0.value.contains(where: \.isServing) }.keys)
    }

    /// - Returns: The services that returned their document.
    private func gather(_ services: Set<ServiceName>) async -> Set<ServiceName> {
        let documents = await withTaskGroup(of: (ServiceName, JSONValue?).self) { group in
            for service in services {
                let client = clients[service]
                group.addTask { (service, try? await client?.get("/internal/openapi.json", as: JSONValue.self)) }
            }
            return await group.reduce(into: [ServiceName: JSONValue]()) { $0[$1.0] = $1.1 }
        }
        var whole = APIDocument()
        for service in ServiceName.allCases {
            if let document = documents[service] { whole.add(document, of: service) }
        }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            pages.setOpenAPI(ByteBuffer(bytes: try encoder.encode(whole.json)))
        } catch {
            logger.error("API document: encoding failed", error: error)
        }
        return Set(documents.keys)
    }
}
