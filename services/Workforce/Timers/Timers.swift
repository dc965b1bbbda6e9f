import Logging
import ServiceLifecycle

/// Does what is due. Several copies of the service may look at once.
struct Timers: Service {
    let alarms: Alarms
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                for kind in Alarms.Kind.allCases { await send(kind) }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func send(_ kind: Alarms.Kind) async {
        do {
            while try await alarms.send(kind) == Alarms.batch {}
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning("alarms could not be sent", error: error, metadata: ["kind": "\(kind.rawValue)"])
        }
    }
}
