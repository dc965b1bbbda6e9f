import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite(.folder) struct PidFileTests {
    private var temporary: TemporaryFolder { .current }

    @Test func pidFile_returnsRunningProcess() async throws {
        let file = PidFile(path: "\(temporary.path)/a.pid")
        #expect(file.process == nil)
        let own = try #require(ProcessIdentity(of: getpid()))
        try file.write(own)
        #expect(file.process == own)
        #expect(temporary.text("a.pid").hasPrefix("\(getpid()) "))
        file.remove()
        #expect(file.process == nil)
    }

    @Test func stalePidFile_isIgnored() async throws {
        let file = PidFile(path: "\(temporary.path)/a.pid")
        for text in ["garbage", "4194303999 1 boot", "\(getpid()) 1 boot", "1 1"] {
            try Data(text.utf8).write(to: URL(filePath: file.path))
            #expect(file.process == nil, "\(text)")
        }
    }
}
