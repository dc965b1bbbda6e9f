import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite struct ProcessIdentityTests {
    private var temporary: TemporaryFolder { .current }

    @Test func ownProcess_isAlive() throws {
        let own = try #require(ProcessIdentity(of: getpid()))
        #expect(own.isAlive)
        #expect(ProcessIdentity(parsing: own.text) == own)
    }

    @Test func reusedProcessId_isNotAlive() throws {
        let own = try #require(ProcessIdentity(of: getpid()))
        let earlier = try #require(ProcessIdentity(parsing: "\(own.pid) \(own.startTicks - 1) \(own.boot)"))
        let otherBoot = try #require(ProcessIdentity(parsing: "\(own.pid) \(own.startTicks) other-boot"))
        #expect(!earlier.isAlive)
        #expect(!otherBoot.isAlive)
    }

    @Test(.folder) func zombie_isNotAlive() async throws {
        let process = try temporary.start("exit 7")
        try await eventually("the process has ended") { !process.isAlive }
        #expect(ProcessStat(of: process.pid)?.state == "Z")
        #expect(DetachedProcess.ending(of: process.pid) == "exit code 7")
        #expect(ProcessStat(of: process.pid) == nil)
    }

    @Test(arguments: ["", "12", "12 34", "x 34 b", "12 x b", "-1 34 b", "0 34 b", "1 2 3 4"])
    func invalidText_isNil(text: String) {
        #expect(ProcessIdentity(parsing: text) == nil)
    }

    @Test func processName_withParentheses_isParsed() throws {
        let text = "42 (a) b (c) S 1 42 42 0 -1 4194560 1 0 0 0 1 2 3 4 20 0 1 0 98765 1 1"
        let stat = try #require(ProcessStat(parsing: text))
        #expect(stat.state == "S")
        #expect(stat.startTicks == 98765)
        #expect(stat.processorTicks == 3)
        #expect(stat.waitedTicks == 7)
    }
}
