import FoundationEssentials
import StackKit
import Testing

@testable import Proof

@Suite(.timeLimit(.minutes(5)), .enabled(if: WrongClock.obstacle == nil)) struct WrongClockTests {
    /// The seconds since 1970 by the clock of a program.
    private func clock(_ environment: [String: String]) async throws -> Int {
        let output = try await SystemCommand.run("date", "+%s", environment: environment)
        return try #require(Int(output.filter { !$0.isWhitespace }))
    }

    @Test func programs_haveAnotherClock() async throws {
        try await FaultFolder.run { folder in
            let wrong = WrongClock(library: "\(folder.local.path)/run/clock.so")
            for seconds in [100_000, -100_000] {
                let before = try await clock([:])
                let moved = try await clock(wrong.environment(seconds)) - seconds
                let after = try await clock([:])
                #expect(before <= moved && moved <= after)
            }
        }
    }
}
