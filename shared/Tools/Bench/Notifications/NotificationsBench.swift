import Contracts
import FoundationEssentials
import PostgresServer
import StackKit

/// The throughput of push notifications from events to FCM, compared with a client that only sends to FCM; and the
/// latency of a message from its commit in chat to FCM, also with a backlog of a million other pushes. The sandbox
/// emulates FCM with a latency of 20 ms.
struct NotificationsBench: BenchSuite {
    let name = "notifications"
    let summary = "pushes from events to FCM beside sending alone; messages on their way past a million due pushes"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    /// The number of events per request, as in a relay's batches.
    private static let batch = 256
    /// The number of concurrent requests.
    private static let relays = 2
    /// The number of concurrent calls of FCM.
    private static let senders = 256
    private static let backlog = 1_000_000

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = try NotificationsFixture(database)
            let seconds = max(2, Int(bench.duration / .seconds(1)))
            return try await fixture.withPrograms(bench) {
                bench.report("registering \(PushDataset.people) devices")
                try await ChatDataset.build(server)
                try await PushDataset.build(server)
                try await fixture.setLatency()
                _ = try await Self.push(2000, round: 0, fixture)
                var results = [try await Self.throughput(seconds, fixture, bench)]
                results += try await Self.latency("", seconds, fixture, bench)
                bench.report("creating a backlog of \(Self.backlog) pushes")
                try await PushDataset.createBacklog(Self.backlog, server)
                results += try await Self.latency(", behind \(Self.backlog) that are due", seconds, fixture, bench)
                return results
            }
        }
    }

    // MARK: Throughput

    private static func throughput(_ seconds: Int, _ fixture: NotificationsFixture, _ bench: BenchContext) async throws
        -> BenchResult
    {
        let count = min(seconds * 5000, PushDataset.people)
        var round = 0
        let rounds = try await bench.interleave(
            Contender.allCases,
            name: { "\(count) pushes, \($0.rawValue)" },
            measure: { contender in
                guard contender == .events else { return try await fixture.sendDirectly(count, senders: senders) }
                round += 1
                return try await push(count, round: round, fixture)
            }
        )
        return BenchResult(
            name: "pushes, from events to FCM at \(NotificationsFixture.latency) ms",
            unit: "pushes/s",
            samples: rounds.samples(of: .events),
            yardstick: .init(
                name: "a client that sends and nothing else, \(senders) at once",
                samples: rounds.samples(of: .sender)
            ),
            goal: .ratioAtLeast(0.9)
        )
    }

    private enum Contender: String, CaseIterable {
        case events = "from events"
        case sender = "by a client that only sends"
    }

    /// Publishes message events with different recipients, and waits until FCM has received all.
    ///
    /// - Returns: Pushes per second.
    private static func push(_ count: Int, round: Int, _ fixture: NotificationsFixture) async throws -> Double {
        try await fixture.removeArrivals()
        let batches = try stride(from: 1, through: count, by: batch).map { first in
            try NotificationsFixture.batch(
                of: (first..<min(first + batch, count + 1)).map { message($0, round: round) }
            )
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for relay in 0..<relays {
                group.addTask {
                    for index in stride(from: relay, to: batches.count, by: relays) {
                        try await fixture.deliver(batches[index])
                    }
                }
            }
            try await group.waitForAll()
        }
        while try await fixture.arrivedCount() < count {
            guard ContinuousClock.now - start < .seconds(120) else { throw StackError("not all pushes arrive") }
            try await Task.sleep(for: .milliseconds(10))
        }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private static func message(_ number: Int, round: Int) -> ChatEvents.MessageSent {
        ChatEvents.MessageSent(
            app: .anlaka,
            room: ChatDataset.publicID(100_000 * (round + 1) + number),
            sequence: 1,
            sender: AccountID(rawValue: ChatDataset.account(1)),
            recipient: AccountID(rawValue: PushDataset.account(number)),
            text: ChatLoad.content,
            files: 0,
            isSeen: false
        )
    }

    // MARK: Latency

    private static func latency(
        _ circumstance: String,
        _ seconds: Int,
        _ fixture: NotificationsFixture,
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let count = seconds * 20
        bench.report("timing \(count) messages\(circumstance)")
        var written: [String: Date] = [:]
        for number in 0..<count {
            let text = "\(number)\(circumstance)"
            // Each message uses another room, because consecutive messages of a room are combined into one
            // notification.
            written[text] = try await fixture.write(text, in: number % ChatDataset.rooms + 1)
            try await Task.sleep(for: .milliseconds(50))
        }
        try await Task.sleep(for: .seconds(1))
        // The newest messages include pushes of the backlog.
        let arrivals = try await fixture.arrivals(newest: 200_000)
        let times = written.compactMap { text, at in arrivals[text].map { $0.timeIntervalSince(at) * 1000 } }.sorted()
        guard times.count == count else {
            throw StackError("\(count - times.count) of \(count) messages are not there")
        }
        return [
            BenchResult(
                name: "from commit to FCM\(circumstance), median",
                unit: "ms",
                ours: BenchResult.median(times),
                goal: .atMost(50)
            ),
            BenchResult(
                name: "from commit to FCM\(circumstance), 99 of 100 within",
                unit: "ms",
                ours: times[times.count * 99 / 100]
            ),
        ]
    }
}
