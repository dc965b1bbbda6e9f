import AppClients
import StackKit
import Values

/// One part of a cluster after the other fails while messages are written into rooms and seats of a car are taken and
/// left, with phones at every gateway.
struct ClusterFaults: Sendable {
    let cluster: BenchCluster
    let bench: BenchContext

    private static let rooms = 6
    /// Of each room, per second.
    private static let rate = 10
    /// How long a link is cut, in measured durations: 30 s by default.
    private static let cut = 6

    func run() async throws -> [BenchResult] {
        // The services have closed the sockets of the measurement before.
        try await cluster.waitUntilReady()
        try await Task.sleep(for: .seconds(5))
        bench.report("opening \(Self.rooms) rooms")
        let record = ClusterRecord()
        var rooms: [ClusterRoom] = []
        for number in 0..<Self.rooms {
            rooms.append(try await ClusterRoom(number, gateways: cluster.gateways, rate: Self.rate, record))
        }
        let car = try await ClusterCar(gateways: cluster.gateways, sandbox: cluster.sandbox)
        let traffic = Task { [rooms] in
            await withDiscardingTaskGroup { group in
                for room in rooms { group.addTask { await room.run() } }
                group.addTask { await car.run() }
            }
        }
        var results: [BenchResult] = []
        do {
            try await measure("no fault", record, car, &results) { try await Task.sleep(for: bench.duration) }
            try await measure("one copy of each program killed", record, car, &results) { try await killEach() }
            try await measure("link 1–2 cut", record, car, &results) {
                try await cluster.run("link", "1", "2", "--cut")
                try await Task.sleep(for: bench.duration * Self.cut)
                try await cluster.run("link", "1", "2", "--restore")
            }
            try await measure("NATS of host 2 restarted", record, car, &results) {
                try await cluster.run("restart", "2", "nats")
            }
            try await measure("the primary of PostgreSQL restarted", record, car, &results) {
                try await cluster.run("restart", "1", "postgres")
            }
            if (try? await ClusterLink.requireImpairment()) != nil {
                try await measure("link 1–2 with 50 ms and 1 % loss", record, car, &results) {
                    try await cluster.run("link", "1", "2", "--delay", "50ms", "--loss", "1%")
                    try await Task.sleep(for: bench.duration * Self.cut)
                    try await cluster.run("link", "1", "2", "--restore")
                }
            }
        } catch {
            traffic.cancel()
            await traffic.value
            throw error
        }
        traffic.cancel()
        await traffic.value
        return results
    }

    private func killEach() async throws {
        for (number, program) in try Programs(environment: [:]).upgradable.enumerated() {
            try await cluster.run("kill", "\(number % 3 + 1)", program.name)
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Measures what was written from the beginning of a fault until everything is healthy again.
    private func measure(
        _ fault: String,
        _ record: ClusterRecord,
        _ car: ClusterCar,
        _ results: inout [BenchResult],
        _ body: () async throws -> Void
    ) async throws {
        bench.report(fault)
        record.begin(fault)
        car.begin()
        try await body()
        try await cluster.waitUntilReady()
        try await Task.sleep(for: .seconds(2))
        let phase = record.end()
        // What has not arrived after a minute is lost.
        try? await waitUntil("all has arrived", every: .milliseconds(100)) { record.lost(phase).isEmpty }
        let (lost, doubled) = (record.lost(phase), record.doubled(phase))
        let outdated = try await car.end()
        for sentence in (lost + doubled + outdated).prefix(10) { bench.report(sentence) }
        let times = [record.slowestDelivery(phase), record.slowestWrite(phase)].map(Figure.text)
        bench.report("  \(lost.count) lost, \(doubled.count) doubled, delivery \(times[0]) ms, write \(times[1]) ms")
        for sentence in record.slowest(phase) { bench.report("  \(sentence)") }
        let seats = [car.record.slowestDelivery, car.record.slowestChange].map(Figure.text)
        bench.report("  seats: \(outdated.count) phones outdated, map \(seats[0]) ms, change \(seats[1]) ms")
        results += [
            BenchResult(
                name: "\(fault): lost of \(phase.count)",
                unit: "deliveries",
                ours: Double(lost.count),
                goal: .atMost(0)
            ),
            BenchResult(name: "  doubled", unit: "deliveries", ours: Double(doubled.count), goal: .atMost(0)),
            BenchResult(
                name: "  longest from an acknowledged write to its last phone",
                unit: "ms",
                ours: record.slowestDelivery(phase),
                goal: .atMost(2000)
            ),
            BenchResult(
                name: "  longest from a write to its acknowledgement, with repetitions",
                unit: "ms",
                ours: record.slowestWrite(phase),
                goal: .atMost(2000)
            ),
            BenchResult(
                name: "  phones without the last of \(car.record.count) changes of seats",
                unit: "phones",
                ours: Double(outdated.count),
                goal: .atMost(0)
            ),
            BenchResult(
                name: "  longest from an acknowledged change to its seat map, or a later one, at the last phone",
                unit: "ms",
                ours: car.record.slowestDelivery,
                goal: .atMost(2000)
            ),
            BenchResult(
                name: "  longest from a change to its acknowledgement, with repetitions",
                unit: "ms",
                ours: car.record.slowestChange,
                goal: .atMost(2000)
            ),
        ]
    }
}
