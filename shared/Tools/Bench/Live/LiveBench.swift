import PostgresServer
import StackKit
import Subprocess
import SystemPackage

/// The cost of delivering a seat change to many clients through the gateway: both processes together, read from
/// `/proc`, so that the load generator does not count. The cost of the requests that cause the messages is measured
/// without subscribers and reported separately.
///
/// Changes are made in bursts, as fast as several passengers can make them, and one at a time: messages in a burst share
/// system calls, which are most of the cost.
///
/// The suite runs `stack up` in its own folder and on its own ports, so that a running installation is not affected.
struct LiveBench: BenchSuite {
    let name = "live"
    let summary = "seat events to 500 and 1,000 STOMP subscribers through the gateway"
    let tools: [BenchTool] = []

    private static let train = "2001"
    private static let car = "2001"
    private static let passengers = 8
    /// The number of changes per passenger in a burst; the total stays below the limit of unsent bytes of a socket.
    private static let changesInBurst = 20

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await Self.withStack(bench) { try await measure($0, $1, bench) }
    }

    /// Runs a stack while `body` runs, with passengers of one train.
    ///
    /// - Parameter body: Is given the passengers, and the processes of the gateway and of seats.
    static func withStack<Value>(
        _ bench: BenchContext,
        _ body: ([LivePassenger], [Int32]) async throws -> Value
    ) async throws -> Value {
        try OpenFiles.allow(16_384)
        var ports: [String: String] = [:]
        let all = try Programs(environment: [:]).all.flatMap(\.ports)
        for (port, number) in zip(all, try FreePort.find(all.count)) { ports[port.variable] = String(number) }
        let programs = try Programs(environment: ports)
        let folder = LocalFolder(path: "\(bench.scratch)/local")
        let limits = ["RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "MAX_CONNECTIONS_PER_ADDRESS": "10000"]
        let environment = ports.merging(limits) { $1 }
        do {
            bench.report("starting a stack")
            try await stack("up", folder, environment, bench)
            var people: [LivePassenger] = []
            for number in 0..<passengers {
                people.append(try await .signIn(programs, number: number, train: train, car: car))
            }
            let processes = ["gateway", "seats"].compactMap { folder.pidFile(of: $0).process?.pid }
            let value = try await body(people, processes)
            try await stack("down", folder, environment, bench)
            return value
        } catch {
            try? await stack("down", folder, environment, bench)
            throw error
        }
    }

    /// Subscribers of the passengers' train.
    static func load(_ passengers: [LivePassenger]) -> LiveLoad {
        LiveLoad(url: passengers[0].socket, destination: "/topic/seat.\(train)", token: passengers[0].token)
    }

    private func measure(
        _ passengers: [LivePassenger],
        _ processes: [Int32],
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let passenger = passengers[0]
        let load = Self.load(passengers)
        do {
            bench.report("changing seats without subscribers")
            let unsubscribed = try await cost(of: passengers, processes, for: bench.duration / 2) { _ in }
            let perChange = unsubscribed.seconds / Double(unsubscribed.changes)
            var growth: [(size: Double, cost: Double)] = []
            for (subscribers, more) in [(10, 10), (100, 90)] {
                bench.report("changing a seat now and then, with \(subscribers) subscribers")
                try await load.connect(more)
                try await load.subscribe()
                let cost = try await changes(passenger, load, processes, subscribers: subscribers)
                growth.append((Double(subscribers), cost.time))
            }
            bench.report("connecting 400 more")
            let memory = Self.memory(processes)
            for _ in 0..<8 {
                try await load.connect(50)
                try await load.subscribe()
            }
            try await Task.sleep(for: .seconds(1))
            let each = (Self.memory(processes) - memory) / 400

            bench.report("changing seats as fast as \(passengers.count) passengers can")
            let before = load.delivered
            let burst = try await cost(of: passengers, processes, for: bench.duration) { changes in
                try await load.wait(forDeliveries: before + changes * 500)
            }
            let deliveries = Double(burst.changes * 500)
            let whole = burst.seconds / deliveries * 1_000_000
            let fanOut = (burst.seconds - perChange * Double(burst.changes)) / deliveries * 1_000_000
            bench.report("changing a seat now and then")
            let alone = try await changes(passenger, load, processes, subscribers: 500)

            bench.report("connecting 500 more")
            let begin = ContinuousClock.now
            try await load.connect(500)
            let rate = 500 / ((ContinuousClock.now - begin) / .seconds(1))
            try await load.subscribe()
            try await Task.sleep(for: .seconds(1))
            let last = try await changes(passenger, load, processes, subscribers: 1000)
            growth.append((1000, last.time))
            try await load.close()
            bench.report("the same from a bare server")
            let bare = try await Self.bare(messageSize: load.messageSize)
            let costs = Growth(growth).results("the last copy", of: "subscribers", unit: "ms")
            return [
                BenchResult(
                    name: "processor per delivery to 500, bursts",
                    unit: "µs",
                    ours: whole,
                    yardstick: .init(name: "a system call each", value: bare.cost),
                    goal: .ratioAtMost(1.5)
                ),
                BenchResult(name: "the same without the requests' own cost", unit: "µs", ours: fanOut),
                BenchResult(name: "with it, one change at a time", unit: "µs", ours: alone.cost),
                BenchResult(name: "memory per connection", unit: "kB", ours: each / 1000, goal: .atMost(30)),
                BenchResult(
                    name: "last of 1,000 copies",
                    unit: "ms",
                    ours: last.time,
                    yardstick: .init(name: "a bare server that sends the same bytes", value: bare.last),
                    goal: .ratioAtMost(1.3)
                ),
                BenchResult(
                    name: "STOMP connects",
                    unit: "connects/s",
                    ours: rate,
                    yardstick: .init(name: "a bare server that answers handshakes", value: bare.rate),
                    goal: .ratioAtLeast(0.5)
                ),
            ] + costs
        } catch {
            try? await load.close()
            throw error
        }
    }

    /// What a bare server takes: microseconds of processor time for each of many deliveries to 500 sockets, milliseconds until
    /// the last of 1,000 has a message, and connects per second.
    private static func bare(messageSize: Int) async throws -> (cost: Double, last: Double, rate: Double) {
        let server = try await BareSockets.open()
        let load = LiveLoad(url: server.url, destination: "/topic/bare", token: "")
        try await load.connect(500)
        let count = passengers * changesInBurst
        let burst = try await server.send(count, of: messageSize)
        try await load.wait(forDeliveries: count * 500)
        let begin = ContinuousClock.now
        try await load.connect(500)
        let rate = 500 / ((ContinuousClock.now - begin) / .seconds(1))
        var times: [Double] = []
        for _ in 0..<40 {
            let (before, begin) = (load.delivered, ContinuousClock.now)
            _ = try await server.send(of: messageSize)
            try await load.wait(forDeliveries: before + 1000)
            times.append((ContinuousClock.now - begin) / .milliseconds(1))
            try await Task.sleep(for: .milliseconds(50))
        }
        try await load.close()
        try await server.close()
        return (burst / Double(count * 500) * 1_000_000, BenchResult.median(times), rate)
    }

    /// Measures the cost of passengers that change seats as fast as possible, in bursts.
    ///
    /// - Parameter received: Waits until all clients have received a number of changes.
    /// - Returns: Seconds of processor time, and the number of changes.
    private func cost(
        of passengers: [LivePassenger],
        _ processes: [Int32],
        for duration: Duration,
        received: (Int) async throws -> Void
    ) async throws -> (seconds: Double, changes: Int) {
        let time = Self.processorSeconds(processes)
        let changes = try await Self.burst(of: passengers, for: duration, received: received)
        return (Self.processorSeconds(processes) - time, changes)
    }

    /// Changes seats as fast as the passengers can, in bursts.
    ///
    /// - Parameter received: Waits until all clients have received a number of changes.
    /// - Returns: The number of changes.
    static func burst(
        of passengers: [LivePassenger],
        for duration: Duration,
        received: (Int) async throws -> Void
    ) async throws -> Int {
        let end = ContinuousClock.now + duration
        var changes = 0
        while ContinuousClock.now < end {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for passenger in passengers {
                    group.addTask {
                        for _ in 0..<(changesInBurst / 2) {
                            try await passenger.sit()
                            try await passenger.leave()
                        }
                    }
                }
                try await group.waitForAll()
            }
            changes += passengers.count * changesInBurst
            try await received(changes)
        }
        return changes
    }

    /// Changes a seat repeatedly, each time after all clients have received the last change: microseconds of processor
    /// time per delivered message, and the median of the milliseconds from the start of the request to the last
    /// delivery.
    private func changes(
        _ passenger: LivePassenger,
        _ load: LiveLoad,
        _ processes: [Int32],
        subscribers: Int
    ) async throws -> (cost: Double, time: Double) {
        var times: [Double] = []
        let processor = Self.processorSeconds(processes)
        for _ in 0..<20 {
            for change in [passenger.sit, passenger.leave] {
                let (before, begin) = (load.delivered, ContinuousClock.now)
                try await change()
                try await load.wait(forDeliveries: before + subscribers)
                times.append((ContinuousClock.now - begin) / .milliseconds(1))
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        let spent = Self.processorSeconds(processes) - processor
        return (spent / Double(times.count * subscribers) * 1_000_000, times.sorted()[times.count / 2])
    }

    // MARK: Processes

    private static func memory(_ processes: [Int32]) -> Double {
        Double(processes.compactMap(ProcessMemory.ofTree).reduce(0, +))
    }

    private static func processorSeconds(_ processes: [Int32]) -> Double {
        processes.compactMap(ProcessorTime.ofTree).reduce(0, +)
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
