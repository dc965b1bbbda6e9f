import FoundationEssentials
import StackKit
import TestKit
import Testing

@testable import Proof

@Suite(.timeLimit(.minutes(5))) struct StackCommandTests {
    /// Runs a command of a script in the place of `stack`; it is a shell's text, so that no file has to be executed.
    private func run(_ script: String, in folder: FaultFolder) async throws {
        try await StackCommand(prefix: ["/bin/sh", "-c", script, "stack"], folder: folder.local).run([
            "upgrade", "chat",
        ])
    }

    @Test func command_getsItsFolder() async throws {
        try await FaultFolder.run { folder in
            try await run("[ \"$*\" = \"upgrade chat --local \(folder.local.path)\" ]", in: folder)
        }
    }

    /// As a program that was started with a setting needs it when it is replaced.
    @Test func command_getsItsEnvironment() async throws {
        try await FaultFolder.run { folder in
            let script = "[ \"$RATE_ADDRESS $MARK\" = \"0 own\" ]"
            let prefix = ["/bin/sh", "-c", script, "stack"]
            let settings = ["RATE_ADDRESS": "0", "MARK": "other"]
            let stack = StackCommand(prefix: prefix, folder: folder.local, environment: settings)
            try await stack.run(["upgrade"], environment: ["MARK": "own"])
        }
    }

    @Test func failure_hasTheLastLines() async throws {
        try await FaultFolder.run { folder in
            let error = await #expect(throws: StackError.self) {
                try await run("echo first; echo chat does not run; exit 1", in: folder)
            }
            #expect(error.map { "\($0)" } == "`stack upgrade chat` failed: first chat does not run")
        }
    }

    @Test func commandThatFindsAnotherOne_isRepeated() async throws {
        try await FaultFolder.run { folder in
            let mark = "\(folder.local.path)/mark"
            let script = """
                [ -e \(mark) ] && exit 0; touch \(mark)
                echo 'another command is starting or stopping things in x (process 1)'; exit 1
                """
            try await run(script, in: folder)
        }
    }

    @Test func clockOfAProgramThatIsAway_isLeftAlone() async throws {
        try await FaultFolder.run { folder in
            let faults = UpgradeFaults(stack: StackCommand(prefix: ["/bin/false"], folder: folder.local))
            #expect(throws: FaultNotApplied("chat did not run.")) { try faults.wrongClock("chat", 5) }
            #expect(throws: FaultNotApplied("chat did not run.")) { try faults.upgrade("chat") }
        }
    }
}
