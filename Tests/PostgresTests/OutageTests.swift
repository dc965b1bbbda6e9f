import TestKit
import Testing

@testable import Postgres

/// Attempts to connect to a server that may be away.
struct OutageTests {
    private static let refusal = PostgresError(.unavailable, "refused")

    private static func refused(_ outage: Outage, _ tries: Tally) async -> PostgresError? {
        await #expect(throws: PostgresError.self) {
            try await outage.attempt {
                _ = tries.next()
                await Task.yield()
                throw refusal
            }
        }
    }

    @Test func attempts_areMadeAtTheSameTime_whileTheServerIsThere() async throws {
        let (outage, both) = (Outage(), Rendezvous(2))
        async let first: Void = outage.attempt { await both.arrive() }
        async let second: Void = outage.attempt { await both.arrive() }
        _ = try await (first, second)
        #expect(!outage.isKnown)
    }

    @Test func failure_isShared_andAnswersForAMoment() async {
        let (outage, tries) = (Outage(), Tally())
        _ = await Self.refused(outage, tries)
        #expect(!outage.isKnown, "one attempt may have taken too long")
        let next = await Self.refused(outage, tries)
        #expect(next?.message == "refused")
        #expect(tries.count <= 2)
    }

    @Test func secondFailure_makesItKnown_andSuccessEndsIt() async throws {
        let (outage, tries) = (Outage(), Tally())
        while tries.count < 2 { _ = await Self.refused(outage, tries) }
        #expect(outage.isKnown)
        try await eventually { (try? await outage.attempt {}) != nil }
        #expect(!outage.isKnown)
    }

    /// Those that wait for it fail with it, or go on when it succeeds.
    @Test(arguments: [true, false])
    func suspectedServer_isTriedByOne(_ succeeds: Bool) async throws {
        let (outage, tries, begun, end) = (Outage(), Tally(), Rendezvous(2), Rendezvous(2))
        outage.suspect()
        async let first: Void = outage.attempt {
            await begun.arrive()
            await end.arrive()
            if !succeeds { throw Self.refusal }
        }
        await begun.arrive()
        let others = (0..<4).map { _ in
            Task { try await outage.attempt { _ = tries.next() } }
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(tries.count == 0)
        await end.arrive()
        #expect(((try? await first) != nil) == succeeds)
        for other in others {
            let outcome = await other.result
            #expect(((try? outcome.get()) != nil) == succeeds)
        }
        #expect(tries.count == (succeeds ? 4 : 0))
    }

    @Test func cancelledAttempt_isFollowedByAnother() async throws {
        let (outage, begun) = (Outage(), Rendezvous(2))
        outage.suspect()
        let first = Task {
            try await outage.attempt {
                await begun.arrive()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        await begun.arrive()
        let second = Task { try await outage.attempt {} }
        first.cancel()
        try await second.value
    }
}
