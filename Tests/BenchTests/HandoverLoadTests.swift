import FoundationEssentials
import StackKit
import TestKit
import Testing

@testable import Bench

/// The measurement of upgrades of the gateway, with few sockets.
@Suite(.timeLimit(.minutes(5))) struct HandoverLoadTests {
    @Test func upgrades_closeAndLoseNothing() async throws {
        let load = HandoverLoad(sockets: 100, rate: 200, rounds: 2, period: .seconds(1))
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "handover-\(UInt32.random(in: 0 ... .max))"
        )
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let tally = try await load.run(executables: Executables.folder, scratch: scratch.path())
        #expect(tally.sentences == [])
        #expect(tally.open == load.sockets && tally.ends.count == load.rounds)
        #expect(tally.closed + tally.reset + tally.refused + tally.lost + tally.doubled == 0)
        #expect(tally.answersPerSecond > 0 && tally.usual > 0 && tally.pause(100) > 0)
    }
}
