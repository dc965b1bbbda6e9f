import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite struct LocalFolderTests {
    private var temporary: TemporaryFolder { .current }

    @Test(.folder) func folder_savesPortsOfRunningStack() async throws {
        let folder = temporary.local
        #expect(folder.savedPorts == [:])
        try folder.prepare()
        let environment = ["GATEWAY_PORT": "9080", "AUTH_PORT": "9081", "PEER_HOSTS": "10.0.0.2", "LOG_LEVEL": "debug"]
        try folder.save(ports: Programs(environment: environment), environment: environment)
        #expect(folder.savedPorts["PEER_HOSTS"] == "10.0.0.2" && folder.savedPorts["LOG_LEVEL"] == nil)
        let found = try Programs(environment: folder.savedPorts)
        #expect(found.gateway.port.number == 9080)
        #expect(found.all.map(\.ports) == (try Programs(environment: environment)).all.map(\.ports))
        folder.removeSavedPorts()
        #expect(folder.savedPorts == [:])
    }

    @Test func unwritableFolder_throwsOneSentence() throws {
        let folder = LocalFolder(path: "/proc/nowhere")
        let error = #expect(throws: StackError.self) { try folder.prepare() }
        #expect(error?.description.hasPrefix("/proc/nowhere cannot be written") == true)
    }

    @Test(.folder) func fullDisk_throwsOneSentence() async throws {
        let error = #expect(throws: StackError.self) { try temporary.local.prepare(leastFree: .max) }
        #expect(error?.description.hasPrefix("the disk of \(temporary.local.path) has ") == true)
        #expect(error?.description.hasSuffix("; free some space") == true)
    }

    @Test(.folder) func largeLog_isRotated() async throws {
        let folder = temporary.local
        try folder.prepare()
        let log = folder.log(of: "auth")
        try Data("small".utf8).write(to: URL(filePath: log))
        folder.rotateLog(of: "auth")
        #expect(LogFile(path: log).size == 5)
        try Data(count: 17 << 20).write(to: URL(filePath: log))
        folder.rotateLog(of: "auth")
        #expect(LogFile(path: log).size == 0)
        #expect(LogFile(path: "\(log).1").size == 17 << 20)
    }

    @Test(.folder) func secondCommand_isRefused() async throws {
        let folder = temporary.local
        try folder.prepare()
        let first = try await SingleRun.take(folder)
        let error = await #expect(throws: StackError.self) { try await SingleRun.take(folder) }
        #expect(error?.description.contains("process \(getpid())") == true)
        first.release()
        // A process that another test is about to start may hold the lock for a moment.
        try await eventually("the lock is free") { (try? await SingleRun.take(folder))?.release() != nil }
    }

    @Test(.folder) func supervisor_isWaitedFor() async throws {
        let folder = temporary.local
        try folder.prepare()
        try folder.pidFile(of: Supervisor.name).write(try #require(ProcessIdentity(of: getpid())))
        let supervisor = try #require(try SingleRun.takeFree(folder))
        async let command = SingleRun.take(folder)
        #expect(try SingleRun.takeFree(folder) == nil)
        supervisor.release()
        try await command.release()
    }
}
