import ServiceKit
import Synchronization
import TestKit
import Testing

@Suite struct PeriodicJobTests {
    private struct Failure: Error {}

    @Test(.timeLimit(.minutes(1))) func rounds_areTimedAndFailuresCounted() async throws {
        let registry = MetricsRegistry()
        let rounds = Mutex(0)
        let job = PeriodicJob("sweep", every: .milliseconds(1), metrics: registry) {
            let round = rounds.withLock { rounds in
                rounds += 1
                return rounds
            }
            if round == 2 { throw Failure() }
            return round == 1
        }
        let task = Task { await job.run() }
        try await eventually("the job has continued after its failure") { rounds.withLock { $0 } >= 4 }
        task.cancel()
        await task.value
        let lines = registry.exposition().split(separator: "\n")
        #expect(lines.contains(#"background_job_failures_total{job="sweep"} 1"#))
        #expect(lines.contains(#"background_job_seconds_count{job="sweep"} \#(rounds.withLock { $0 })"#))
    }
}
