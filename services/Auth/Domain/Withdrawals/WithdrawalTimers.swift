import Logging
import Postgres
import ServiceLifecycle

/// Background job that performs due withdrawals and their steps. Due times are database rows: a restart loses none, and
/// replicas share the work.
struct WithdrawalTimers: Service {
    let withdrawal: Withdrawal
    let steps: WithdrawalSteps
    let logger: Logger

    private static let pause = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await attempt { while try await withdrawal.beginNext() {} }
                await attempt { while try await steps.takeNext() {} }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            logger.warning("withdrawal: job failed, will retry", error: error)
        }
    }
}
