import Glibc
import StackKit
import TestKit
import Testing

@testable import Proof

@Suite struct ProcessFaultTests {
    @Test func stoppedProgram_goesOnAtTheEnd() async throws {
        try await FaultFolder.run { folder in
            let process = try folder.start("chat")
            let action = try ProcessFaults(folder: folder.local).stop("chat")
            #expect(try await action.begin() == "chat, process \(process.pid), was stopped.")
            try await process.reaches("T")
            try await action.end()
            try await process.reaches("S")
        }
    }

    @Test func killedProgram_hasExited_andCannotBeKilledAgain() async throws {
        try await FaultFolder.run { folder in
            let process = try folder.start("auth")
            let faults = ProcessFaults(folder: folder.local)
            _ = try await faults.kill("auth").begin()
            try await process.reaches("Z")
            #expect(throws: FaultNotApplied("auth did not run.")) { try faults.kill("auth") }
            #expect(throws: FaultNotApplied("seats did not run.")) { try faults.stop("seats") }
        }
    }

    /// The id in the pid file has been given to another process.
    @Test func foreignProcess_isLeftAlone() async throws {
        try await FaultFolder.run { folder in
            let process = try folder.start("seats")
            let former = try #require(
                ProcessIdentity(parsing: "\(process.pid) \(process.startTicks - 1) \(process.boot)")
            )
            try folder.local.pidFile(of: "seats").write(former)
            let faults = ProcessFaults(folder: folder.local)
            #expect(throws: FaultNotApplied.self) { try faults.kill("seats") }
            #expect(throws: FaultNotApplied.self) { try faults.stop("seats") }
            await #expect(throws: FaultNotApplied.self) { try await DescriptorFaults(processes: faults).limit("seats") }
            #expect(process.isAlive)
        }
    }

    /// The program is replaced between the choice of a fault and its beginning.
    @Test func processThatHasGone_isNotSignalled() async throws {
        try await FaultFolder.run { folder in
            let former = try folder.start("chat")
            let action = try ProcessFaults(folder: folder.local).stop("chat")
            former.send(SIGKILL)
            try await former.reaches("Z")
            let next = try folder.start("chat")
            _ = try await action.begin()
            #expect(ProcessStat(of: next.pid)?.state != "T")
        }
    }

    @Test func undo_continuesAllThatIsStopped() async throws {
        try await FaultFolder.run { folder in
            let processes = [try folder.start("chat"), try folder.start("auth")]
            for process in processes {
                process.send(SIGSTOP)
                try await process.reaches("T")
            }
            // One without a pid file, as after a crash.
            folder.local.pidFile(of: "auth").remove()
            ProcessFaults(folder: folder.local).undo()
            for process in processes { try await process.reaches("S") }
        }
    }

    @Test func killedSupervisor_isStartedAsBefore() async throws {
        try await FaultFolder.run { folder in
            let process = try folder.start("supervisor")
            let action = try ProcessFaults(folder: folder.local).killSupervisor()
            _ = try await action.begin()
            try await process.reaches("Z")
            try await action.end()
            let next = try #require(folder.local.pidFile(of: "supervisor").process)
            #expect(next.pid != process.pid && next.variable("MARK") == "supervisor")
            #expect(KernelFile.text("/proc/\(next.pid)/cmdline") == "/bin/sleep\03600\0")
            try await action.end()
            #expect(folder.local.pidFile(of: "supervisor").process == next, "it runs, so that none is started")
        }
    }

    @Test(.enabled(if: DescriptorFaults.obstacle == nil)) func limitOfDescriptors_isRestored() async throws {
        try await FaultFolder.run { folder in
            let process = try folder.start("estate")
            let faults = DescriptorFaults(processes: ProcessFaults(folder: folder.local))
            let before = try await DescriptorFaults.limit(of: process)
            let action = try await faults.limit("estate")
            let sentence = try await action.begin()
            let limit = try await DescriptorFaults.limit(of: process)
            #expect(limit < before && sentence.hasSuffix("could not open more than its \(limit) descriptors."))
            try await action.end()
            #expect(try await DescriptorFaults.limit(of: process) == before)
            process.send(SIGKILL)
            try await process.reaches("Z")
            // What has ended needs no limit.
            try await action.end()
        }
    }
}
