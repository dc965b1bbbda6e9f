import Apps
import NIOCore
import Postgres
import PostgresServer
import ServiceKit
import StackKit

/// The seats of a car, which phones ask for again and again while nothing changes: answered from kept bytes, and to phones
/// that have them already, beside reading them from the tables.
///
/// A car without messages has no version, and is always read. All are measured in turn (`Rounds`).
struct SeatMapsBench: BenchSuite {
    let name = "repeated"
    let summary = "a car's seats asked for again: kept as bytes, and had by the phone, beside read from the tables"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    private enum Contender: String, CaseIterable {
        case read = "read from the tables"
        case kept = "kept"
        case known = "kept, and the phone has it"
    }

    private static let connections = 16
    /// Requests of a connection, one after the other.
    private static let queued = 100

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await SeatsFixture.run(bench) { fixture, server in
            let seats = try await fixture.seats()
            let tag = try await fixture.tag()
            let rounds = try await bench.interleave(Contender.allCases, name: \.rawValue) { contender in
                try await server.withClient(of: Database.name) { client in
                    switch contender {
                    case .read: try await client.execute("DELETE FROM seats.live_messages")
                    case .kept, .known: try await fixture.change(seats[0])
                    }
                }
                return try await Self.rate(
                    fixture.request(known: contender == .known ? tag : nil),
                    status: contender == .known ? 304 : 200,
                    for: .seconds(bench.secondsOfRound)
                )
            }
            let read = BenchResult.Yardstick(name: Contender.read.rawValue, samples: rounds.samples(of: .read))
            return [Contender.kept, .known].map {
                BenchResult(
                    name: "a car's seats, \($0.rawValue)",
                    unit: "requests/s",
                    samples: rounds.samples(of: $0),
                    yardstick: read,
                    goal: .ratioAtLeast(1)
                )
            }
        }
    }

    private static func rate(
        _ request: BurstLoad.Request,
        status: Int,
        for duration: Duration
    ) async throws -> Double {
        let requests = Array(repeating: request, count: connections * queued)
        let start = ContinuousClock.now
        var count = 0
        repeat {
            let answers = try await BurstLoad.run(requests, queued: queued, timeout: .seconds(60))
            if let other = answers.first(where: { $0.status != status }) {
                throw StackError("the seats of a car were answered with \(other.status)")
            }
            count += answers.count
        } while .now - start < duration
        return Double(count) / ((.now - start) / .seconds(1))
    }
}
