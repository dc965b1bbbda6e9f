import FoundationEssentials
import Subprocess
import TestKit
import Testing

@testable import StackKit

/// A proof that ends before its time.
@Suite(.timeLimit(.minutes(15))) struct ProveInterruptionTests {
    /// Starts a proof, interrupts it three seconds after people have begun to play, and waits for its end.
    private static let script = """
        "$1" prove --minutes 9 --phones 20 --seed 7 --folder "$2/proof" --report "$2/report.html" >"$2/log" 2>&1 &
        until grep -q ' faults in ' "$2/log"; do kill -0 $! || exit 9; sleep 0.2; done
        sleep 3
        kill -TERM $!
        wait $!
        """

    @Test func report_isKept_andNothingIsLeft() async throws {
        try await StackFixture.places.withSlots {
            try await TemporaryFolder.run { temporary in
                _ = try await Subprocess.run(
                    .name("sh"),
                    arguments: ["-c", Self.script, "sh", "\(Executables.folder)/stack", temporary.path],
                    output: .discarded,
                    error: .discarded
                )
                let log = try String(contentsOfFile: "\(temporary.path)/log", encoding: .utf8)
                #expect(log.contains("interrupted by"), "\(log)")
                let page = try String(contentsOfFile: "\(temporary.path)/report.html", encoding: .utf8)
                #expect(page.contains("Requests and faults") && page.contains(" phones in "), "\(log)")
                #expect(!page.contains("A promise was not kept"), "\(log)")
                #expect(!FileManager.default.fileExists(atPath: "\(temporary.path)/proof"))
            }
        }
    }
}
