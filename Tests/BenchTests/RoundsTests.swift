import Testing

@testable import Bench

@Suite struct RoundsTests {
    @Test func eachRound_beginsWithTheNextContender() async throws {
        var order: [String] = []
        let rounds = try await Rounds(4, of: ["a", "b", "c"]) { contender in
            order.append(contender)
            return Double(order.count)
        }
        #expect(order.joined() == "abcbcacababc")
        #expect(rounds.samples(of: "a") == Samples([1, 6, 8, 10]))
        #expect(rounds.samples(of: "nothing") == Samples([]))
    }

    @Test func twoContenders_takeTurnsInBeingFirst() {
        let orders = (0..<3).map { Rounds<String, Double>.order(of: ["a", "b"], in: $0).joined() }
        #expect(orders == ["ab", "ba", "ab"])
        #expect(Rounds<String, Double>.order(of: [], in: 3).isEmpty)
    }

    @Test func failedMeasurement_endsTheRounds() async {
        struct Failure: Error {}
        var count = 0
        await #expect(throws: Failure.self) {
            _ = try await Rounds(5, of: [1, 2]) { _ in
                count += 1
                if count == 3 { throw Failure() }
                return 1.0
            }
        }
        #expect(count == 3)
    }

    @Test func yardstick_isTheBestNumberOfClients() async throws {
        let rounds = try await Rounds(3, of: PoolContender.all(clients: [4, 8, 16])) { contender -> Double in
            switch contender {
            case .ours: 150
            case .pgbench(let clients): clients == 8 ? 100 : 50
            }
        }
        let yardstick = rounds.yardstick("-S", clients: [4, 8, 16])
        #expect(yardstick?.name == "pgbench -S, the best of 4, 8 and 16 clients (8)")
        #expect(yardstick?.samples == Samples([100, 100, 100]))
    }

    @Test(arguments: [(5.0, 5, 1), (10, 5, 2), (1, 3, 1), (60, 4, 15)])
    func aRound_takesItsShareOfTheTime(seconds: Double, rounds: Int, each: Int) {
        let bench = BenchContext(
            executables: "",
            scratch: "",
            duration: .seconds(seconds),
            rounds: rounds,
            report: { _ in }
        )
        #expect(bench.secondsOfRound == each)
    }

    @Test func pgbenchReport_hasFigures() throws {
        let report = """
            duration: 2 s
            number of transactions actually processed: 5300
            latency average = 1.5 ms
            tps = 2650.5 (without initial connection time)
            """
        #expect(try PGBench.figure("tps = ", in: report) == 2650.5)
        #expect(try PGBench.figure("number of transactions actually processed: ", in: report) == 5300)
        #expect(throws: (any Error).self) { try PGBench.figure("tps = ", in: "") }
    }
}
