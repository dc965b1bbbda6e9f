/// The rounds of a service's background job, from its metrics (`background_job_seconds`).
struct JobMeter: Sendable {
    let port: Int
    /// The label `job`.
    let job: String

    /// The mean duration of the next rounds, in milliseconds. The first round after the start is not among them: it
    /// gathers statistics and prepares statements.
    func mean(of rounds: Int) async throws -> Double {
        var first = try await read()
        while first.count < 1 {
            try await Task.sleep(for: .milliseconds(100))
            first = try await read()
        }
        var last = first
        while last.count < first.count + Double(rounds) {
            try await Task.sleep(for: .milliseconds(100))
            last = try await read()
        }
        return (last.seconds - first.seconds) / (last.count - first.count) * 1_000
    }

    private func read() async throws -> (count: Double, seconds: Double) {
        let lines = try await ProgramMetrics.lines(of: "http://127.0.0.1:\(port)")
        return (Self.value("count", of: job, in: lines), Self.value("sum", of: job, in: lines))
    }

    private static func value(_ field: String, of job: String, in lines: [Substring]) -> Double {
        let line = lines.first {
            $0.hasPrefix("background_job_seconds_\(field){") && $0.contains("job=\"\(job)\"")
        }
        return line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }
}
