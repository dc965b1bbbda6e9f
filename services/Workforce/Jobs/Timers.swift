import Logging
import ServiceLifecycle

/// Background job that sends due reminders. Replicas may run it concurrently.
struct Timers: Service {
    let alarms: Reminders
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                for kind in Reminders.Kind.allCases { await send(kind) }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func send(_ kind: Reminders.Kind) async {
        do {
            while try await alarms.send(kind) == Reminders.batch {}
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning("reminders: sending failed", error: error, metadata: ["kind": "\(kind.rawValue)"])
        }
    }
}
