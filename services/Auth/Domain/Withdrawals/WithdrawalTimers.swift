import Logging
import Postgres
import ServiceLifecycle

/// Takes the steps of leaving that are due. The due times are rows of the database, so a restart loses none, and several
/// copies of the service share the work.
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
            logger.warning("a withdrawal could not go on", error: error)
        }
    }
}
