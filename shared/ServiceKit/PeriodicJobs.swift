package import Logging
package import Metrics
import ServiceLifecycle
import Tracing

/// A job that a service repeats while it runs. All replicas run it concurrently, so its work must be rows that a replica
/// locks, or safe to do twice.
package struct PeriodicJob: Sendable {
    let name: String
    let pause: Duration
    let signal: AsyncSignal
    let work: @Sendable () async throws -> Bool
    private let duration: Timer
    private let failures: Counter

    /// - Parameters:
    ///   - name: The name of the job in log messages.
    ///   - pause: The time between a run that has found nothing more to do, or has failed, and the next.
    ///   - signal: Ends a pause early.
    ///   - metrics: Where durations and failures are recorded, by the job's name.
    ///   - work: One run; returns whether there may be more to do immediately.
    package init(
        _ name: String,
        every pause: Duration = .seconds(1),
        signal: AsyncSignal = AsyncSignal(),
        metrics: any MetricsFactory = MetricsSystem.factory,
        _ work: @escaping @Sendable () async throws -> Bool
    ) {
        self.name = name
        self.pause = pause
        self.signal = signal
        self.work = work
        self.duration = Timer(label: "background_job_seconds", dimensions: [("job", name)], factory: metrics)
        self.failures = Counter(
            label: "background_job_failures_total",
            dimensions: [("job", name)],
            factory: metrics
        )
    }

    /// Runs until the task is cancelled. A failed run is logged, and the next one follows after the pause.
    package func run() async {
        while !Task.isCancelled {
            do {
                while try await measured() { try Task.checkCancellation() }
            } catch {
                if !Task.isCancelled {
                    failures.increment()
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

    private func measured() async throws -> Bool {
        let start = ContinuousClock.now
        defer { duration.recordNanoseconds((.now - start).nanoseconds) }
        return try await InstrumentationSystem.tracer.withSpan("job \(name)", context: .topLevel) { _ in
            try await work()
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
