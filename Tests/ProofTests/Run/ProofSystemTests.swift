import FoundationEssentials
import StackKit
import Testing

@testable import Proof

@Suite struct ProofSystemTests {
    @Test func logs_areKeptBesideTheFolder() async throws {
        try await FaultFolder.run { folder in
            try folder.start("chat")
            let kept = "\(folder.local.path)-logs"
            defer { try? FileManager.default.removeItem(atPath: kept) }
            let system = try ProofStack(path: folder.local.path, stack: "/bin/false")
            // Logs of an earlier run are not mixed with those of this one.
            for text in ["earlier", "chat: a seat was taken twice"] {
                try text.write(toFile: folder.local.log(of: "chat"), atomically: true, encoding: .utf8)
                #expect(try system.keepLogs() == kept)
            }
            let log = folder.local.log(of: "chat").replacing(folder.local.path, with: kept)
            #expect(try String(contentsOfFile: log, encoding: .utf8) == "chat: a seat was taken twice")
            let files = try FileManager.default.subpathsOfDirectory(atPath: kept)
            #expect(files.filter { $0.contains(".") }.allSatisfy { $0.hasSuffix(".log") })
        }
    }
}
