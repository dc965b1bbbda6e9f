import AppClients
import Synchronization
import Testing
import Values

@testable import Proof

@Suite(.timeLimit(.minutes(1))) struct LoadCrowdTests {
    /// A person whose requests are answered after a while.
    private struct Person: LoadPerson {
        let habits = "worker"
        var delay = Duration.zero
        var status = 200
        var isConnected = true

        func next(_ name: String, _ random: inout SplitMix) async -> NextAct? {
            NextAct(
                .like,
                status: { [delay, status, isConnected] in
                    try? await Task.sleep(for: delay)
                    guard isConnected else { throw ProofError("no answer") }
                    return status
                }
            )
        }
    }

    private static func habits() throws -> Habits {
        var habits = try Habits.ofLoad()
        (habits.pause, habits.background) = ([0.001, 0.002], 0)
        return habits
    }

    /// Lets people be active until a number of acts is noted.
    private static func window(of person: Person, people: Int, acts: Int) async throws -> LoadWindow {
        let diary = Diary()
        let record = LoadRecord(try .standard()) { diary.now }
        let all = Array(repeating: person, count: people)
        let crowd = LoadCrowd(all, habits: try habits(), record: record, seed: 1)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await crowd.run() }
            defer { group.cancelAll() }
            crowd.set(people)
            var window = record.window(of: people)
            try await waitUntil("there are acts", every: .milliseconds(5)) {
                let next = record.window(of: people)
                for (kind, acts) in next.acts { window.acts[kind, default: .init()].add(acts) }
                return window.total.count >= acts
            }
            return window
        }
    }

    @Test func actsAreCounted_byTheirAnswers() async throws {
        #expect(try await Self.window(of: Person(), people: 3, acts: 30).total.errors == 0)
        for (status, isError) in [(404, false), (409, false), (401, true), (429, true), (503, true)] {
            let total = try await Self.window(of: Person(status: status), people: 1, acts: 5).total
            #expect((total.errors > 0) == isError && (total.refused > 0) != isError, "\(status)")
        }
        #expect(try await Self.window(of: Person(isConnected: false), people: 1, acts: 5).total.errors >= 5)
    }

    /// Of a person whose answers take 30 ms and whose acts are due every 2 ms, each act begins later than it is due.
    @Test func lateStarts_areInTheTime() async throws {
        let window = try await Self.window(of: Person(delay: .milliseconds(30)), people: 1, acts: 10)
        let longest = try #require(window.acts[.like]?.latencies.quantile(1))
        #expect(longest > 200)
    }

    @Test func kindsOfPeople_areInEveryBeginning_inTheirShares() {
        let kinds = [Array(repeating: 0, count: 60), Array(repeating: 1, count: 30), Array(repeating: 2, count: 10)]
        let mixed = LoadPeople.mixed(kinds, shares: [60, 30, 10])
        #expect(mixed.count == 100)
        for length in [20, 40, 60, 80] {
            let counts = (0..<3).map { kind in mixed.prefix(length).count { $0 == kind } }
            for (count, share) in zip(counts, [60, 30, 10]) {
                #expect(abs(count - length * share / 100) <= 2, "\(counts) of \(length)")
            }
        }
    }
}
