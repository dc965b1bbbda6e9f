import Contracts
import FoundationEssentials
import InternalClient
import Logging
import NIOCore
import ServiceLifecycle

/// Gathers the API documents of the services that run, whenever others run than before, and now and then.
struct APIDocumentService: Service {
    let clients: [ServiceName: InternalClient]
    let directory: UpstreamDirectory
    let pages: LocalPages
    /// How often it is looked who runs.
    let interval: Duration
    let logger: Logger

    /// Intervals after which documents are asked for although the same services run.
    private static let patience = 60

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var documented: Set<ServiceName> = []
            var intervals = 0
            while !Task.isCancelled {
                intervals += 1
                let serving = self.serving
                if serving != documented || intervals > Self.patience {
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

    /// - Returns: the services that gave their document.
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
            logger.error("API document could not be written", error: error)
        }
        return Set(documents.keys)
    }
}
