import Glibc
import Subprocess
import SystemPackage

/// What it costs to tell many phones of a change on a seat, through the gateway: both processes together, read from
/// `/proc`, so that the load's own cost does not count. The requests that cause the messages do.
///
/// Runs `stack up` in a folder and on ports of its own, so that a house that is up stays untouched.
struct LiveBench: BenchSuite {
    let name = "live"
    let summary = "seat events to 500 and 1,000 STOMP subscribers through the gateway"
    let tools: [BenchTool] = []

    private static let train = "2001"
    private static let car = "2001"

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try Self.allowOpenFiles(16_384)
        var ports: [String: String] = [:]
        let all = try Fleet(environment: [:]).members.flatMap(\.ports)
        for (port, number) in zip(all, try Ports.free(all.count)) { ports[port.variable] = String(number) }
        let fleet = try Fleet(environment: ports)
        let folder = LocalFolder(path: "\(bench.scratch)/local")
        let limits = ["RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "MAX_CONNECTIONS_PER_ADDRESS": "10000"]
        let environment = ports.merging(limits) { $1 }
        do {
            bench.report("starting a house")
            try await Self.stack("up", folder, environment, bench)
            let rider = try await LiveRider.signIn(fleet, train: Self.train, car: Self.car)
            let processes = ["gateway", "seats"].compactMap { folder.pidFile(of: $0).process?.pid }
            let results = try await measure(rider, processes, bench)
            try await Self.stack("down", folder, environment, bench)
            return results
        } catch {
            try? await Self.stack("down", folder, environment, bench)
            throw error
        }
    }

    private func measure(
        _ rider: LiveRider,
        _ processes: [Int32],
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let load = LiveLoad(url: rider.socket, destination: "/topic/seat.\(Self.train)", token: rider.token)
        do {
            bench.report("connecting 500 subscribers")
            let memory = Self.memory(processes)
            try await load.connect(500)
            try await load.subscribe()
            try await Task.sleep(for: .seconds(1))
            let each = (Self.memory(processes) - memory) / 500

            bench.report("changing a seat again and again")
            let cost = try await fanOut(rider, load, processes, for: bench.duration)

            bench.report("connecting 500 more")
            let begin = ContinuousClock.now
            try await load.connect(500)
            let rate = 500 / ((ContinuousClock.now - begin) / .seconds(1))
            try await load.subscribe()
            try await Task.sleep(for: .seconds(1))
            let last = try await lastCopy(rider, load, subscribers: 1000)
            try await load.close()
            return [
                BenchResult(name: "processor per delivery, 500 subscribers", unit: "µs", ours: cost, goal: .atMost(9)),
                BenchResult(name: "memory per connection", unit: "kB", ours: each / 1000, goal: .atMost(30)),
                BenchResult(name: "last of 1,000 copies after a request", unit: "ms", ours: last, goal: .atMost(15)),
                BenchResult(name: "STOMP connects", unit: "connects/s", ours: rate, goal: .atLeast(2000)),
            ]
        } catch {
            try? await load.close()
            throw error
        }
    }

    /// Microseconds of processor time per delivered message.
    private func fanOut(
        _ rider: LiveRider,
        _ load: LiveLoad,
        _ processes: [Int32],
        for duration: Duration
    ) async throws -> Double {
        let (before, time) = (load.delivered, Self.processorSeconds(processes))
        let end = ContinuousClock.now + duration
        var messages = 0
        while ContinuousClock.now < end {
            try await rider.sit()
            try await rider.leave()
            messages += 2
        }
        try await load.wait(forDeliveries: before + messages * 500)
        return (Self.processorSeconds(processes) - time) / Double(messages * 500) * 1_000_000
    }

    /// Milliseconds from the beginning of the request that changes a seat to the last subscriber's copy; the median of several.
    private func lastCopy(_ rider: LiveRider, _ load: LiveLoad, subscribers: Int) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<11 {
            for change in [rider.sit, rider.leave] {
                let (before, begin) = (load.delivered, ContinuousClock.now)
                try await change()
                try await load.wait(forDeliveries: before + subscribers)
                times.append((ContinuousClock.now - begin) / .milliseconds(1))
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        return times.sorted()[times.count / 2]
    }

    // MARK: Processes

    private static func memory(_ processes: [Int32]) -> Double {
        Double(processes.compactMap(ProcessMemory.ofTree).reduce(0, +))
    }

    private static func processorSeconds(_ processes: [Int32]) -> Double {
        let ticks = processes.compactMap { ProcessStat(of: $0)?.processorTicks }.reduce(0, +)
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// What this process and the ones that it starts may have open.
    private static func allowOpenFiles(_ count: UInt) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < count else { return }
        limit.rlim_cur = min(count, limit.rlim_max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur >= count else {
            throw StackError("a process may not have \(count) files open; raise `ulimit -n`")
        }
    }

    private static func stack(
        _ verb: String,
        _ folder: LocalFolder,
        _ environment: [String: String],
        _ bench: BenchContext
    ) async throws {
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let result = try await Subprocess.run(
            .path(FilePath("\(bench.executables)/stack")),
            arguments: [verb, "--local", folder.path],
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        guard result.terminationStatus.isSuccess else {
            throw StackError("stack \(verb) failed: \(result.standardOutput)")
        }
    }
}
