import ArgumentParser
import FoundationEssentials
import Proof
import ServiceKit
import StackKit

/// `stack load --people N --for 10m`: finds how many people of all apps this machine serves.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Finds how many people this machine serves, and says where the time goes.",
        discussion: """
            Starts a stack of its own, signs people of all apps up, and lets a growing number of them be active, each with a
            socket and an act every few seconds. When a threshold breaks (p99 of each kind of act, share of failures), it
            searches between the last good and the first bad number, and holds what it has found for the rest of the time.
            An act's time begins when it was due. The load generator runs on the same machine.

            Examples:
              stack load --people 2000 --for 10m --report load.html
              stack load --people 200 --for 90s --fixed
              stack load --people 2000 --for 80m --share 0.5
            """
    )

    @Option(help: "The most people who sign up; with --fixed as many are active all the time.") var people = 2000
    @Option(name: .customLong("for"), help: "How long people are active, such as 90s, 10m or 1h.")
    var length = RunLength(seconds: 600)
    @Option(help: "What people do; a new one without it.") var seed: UInt64?
    @Option(help: "A file for the report as a page, with plots.") var report: String?
    @Flag(help: "Searches nothing: says which thresholds hold with --people.") var fixed = false
    @Option(help: "Holds this part of what was found, and says by the minute whether memory and times grow.")
    var share = 1.0
    @Option(help: "The folder for the stack, which is removed afterwards.") var folder = ".local-load"

    func validate() throws {
        guard (20...20_000).contains(people) else { throw ValidationError("--people takes a number from 20 to 20000") }
        guard share > 0, share <= 1 else { throw ValidationError("--share takes a number above 0, at most 1") }
        guard share == 1 || !fixed else {
            throw ValidationError("--share is of a number that is found, not of --fixed")
        }
        guard length.duration >= .seconds(10) else { throw ValidationError("--for takes at least 10s") }
    }

    func run() async throws {
        EventLoopTasks.install()
        let seed = seed ?? .random(in: 1...999_999)
        let facts = await RunFacts.current()
        let stack = try ProofStack(
            path: folder,
            stack: "\(Executables.folder)/stack",
            hasSmallDisk: false,
            settings: LoadRun.stackSettings
        )
        try LoadNeeds(people: people).check(
            people: people,
            machine: facts.machine,
            files: Int(OpenFiles.most),
            disk: LoadNeeds.freeDisk(of: stack.path)
        )
        let settings = LoadRun.Settings(
            seed: seed,
            length: length.duration,
            people: people,
            isFixed: fixed,
            share: share,
            thresholds: try .standard(),
            habits: try .ofLoad()
        )
        Console.line("seed \(seed)")
        try await untilInterrupted {
            let result = try await LoadRun(stack, settings) { Console.line("  … \($0)") }.run()
            for line in result.text(cores: facts.machine.cores) { Console.line(line) }
            if let report { try LoadPage(result, facts).html.write(toFile: report, atomically: true, encoding: .utf8) }
            guard result.isGood else { throw StackError("thresholds broke") }
        }
    }
}
