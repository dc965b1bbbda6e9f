package import Logging
import ServiceLifecycle

/// A job that a service repeats while it runs. All replicas run it concurrently, so its work must be rows that a replica
/// locks, or safe to do twice.
package struct PeriodicJob: Sendable {
    let name: String
    let pause: Duration
    let signal: AsyncSignal
    let work: @Sendable () async throws -> Bool

    /// - Parameters:
    ///   - name: The name of the job in log messages.
    ///   - pause: The time between a run that has found nothing more to do, or has failed, and the next.
    ///   - signal: Ends a pause early.
    ///   - work: One run; returns whether there may be more to do immediately.
    package init(
        _ name: String,
        every pause: Duration = .seconds(1),
        signal: AsyncSignal = AsyncSignal(),
        _ work: @escaping @Sendable () async throws -> Bool
    ) {
        self.name = name
        self.pause = pause
        self.signal = signal
        self.work = work
    }

    /// Runs until the task is cancelled. A failed run is logged, and the next one follows after the pause.
    package func run() async {
        while !Task.isCancelled {
            do {
                while try await work() { try Task.checkCancellation() }
            } catch {
                if !Task.isCancelled {
                    Logger.current.warning(
                        "background job: failed, will retry",
                        error: error,
                        metadata: ["job": "\(name)"]
                    )
                }
            }
            await signal.sleep(atMost: pause)
        }
    }
}

/// The jobs that a service repeats; they end with the graceful shutdown.
package struct PeriodicJobs: Service {
    private let jobs: [PeriodicJob]
    private let logger: Logger

    package init(_ jobs: [PeriodicJob], logger: Logger) {
        self.jobs = jobs
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withLogger(logger) { _ in
                await withDiscardingTaskGroup { group in
                    for job in jobs { group.addTask { await job.run() } }
                }
            }
        }
    }
}
