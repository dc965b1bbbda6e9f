import FoundationEssentials
import TestKit
import Testing

@testable import Stack

@Suite(.folder) struct LogTailTests {
    private var temporary: TemporaryFolder { .current }

    @Test func tail_followsWholeLines() async throws {
        let log = LogFile(path: "\(temporary.path)/log")
        var tail = LogTail(log: log, prefix: "a | ")
        #expect(tail.begin(2) == [])
        try Self.append("one\ntwo\nthr", to: log)
        #expect(tail.next() == ["a | one", "a | two"])
        #expect(tail.next() == [])
        try Self.append("ee 셋\n", to: log)
        #expect(tail.next() == ["a | three 셋"])
    }

    @Test func tail_restartsWithNewFile() async throws {
        let log = LogFile(path: "\(temporary.path)/log")
        try Self.append("one\ntwo\nthree\n", to: log)
        var tail = LogTail(log: log, prefix: "")
        #expect(tail.begin(2) == ["two", "three"])
        try FileManager.default.removeItem(atPath: log.path)
        try Self.append("new\n", to: log)
        #expect(tail.next() == ["new"])
    }

    private static func append(_ text: String, to log: LogFile) throws {
        let before = (try? Data(contentsOf: URL(filePath: log.path))) ?? Data()
        try (before + Data(text.utf8)).write(to: URL(filePath: log.path))
    }
}
