import Contracts
import FoundationEssentials
import InternalClient
import Logging
import NIOCore
import ServiceLifecycle

/// Gathers the services' API documents now and then. A service that does not answer is left out, until it does.
struct APIDocumentService: Service {
    let clients: [ServiceName: InternalClient]
    let pages: LocalPages
    let logger: Logger

    private static let interval = Duration.seconds(30)
    private static let firstIntervals = Duration.seconds(2)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let isComplete = await self.refresh()
                try? await Task.sleep(for: isComplete ? Self.interval : Self.firstIntervals)
            }
        }
    }

    /// - Returns: whether every service answered.
    private func refresh() async -> Bool {
        let documents = await withTaskGroup(of: (ServiceName, JSONValue?).self) { group in
            for (service, client) in clients {
                group.addTask { (service, try? await client.get("/internal/openapi.json", as: JSONValue.self)) }
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
        return documents.count == clients.count
    }
}
