import ArgumentParser
import FoundationEssentials
import Proof
import ServiceKit
import StackKit

/// `stack prove --minutes 10 --seed N`: lets phones of all apps use a stack while everything fails, and checks the promises.
struct ProveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Has phones of all apps use a stack while everything fails, and checks what they were promised.",
        discussion: """
            Starts a stack of its own, signs people in, and lets their phones play: seats, rooms, orders, comments, lists of
            work. Meanwhile processes are killed and stopped, the database restarts, its disk is full, providers are late or
            silent, programs are upgraded. Each phone keeps a diary of what it was answered. Afterwards the promises are
            checked from diaries and tables, such as: every acknowledged message is there, once; a seat has one occupant;
            an order is paid once. One that was not kept is printed as a story of at most 20 steps.

            The same seed gives the same phones and faults, but not the same order of events.
            Examples:
              stack prove --minutes 1 --phones 200
              stack prove --minutes 10 --seed 7 --report proof.html

            A proof that cannot fail proves nothing: a stack of `make sabotage` has known defects of other systems built in, and
            --sabotage all starts it with one after the other, for runs of their own length, of which each must be found. With
            --sabotage none the same runs are made without defects, and every promise must be kept.
            """
    )

    @Option(help: "How long people play.") var minutes = 10.0
    @Option(help: "What phones do and what fails; a new one without it.") var seed: UInt64?
    @Option(help: "The number of phones.") var phones = 2000
    @Option(help: "A file with the habits of people instead of the usual ones.") var habits: String?
    @Option(help: "A file with a plan of faults instead of the seed's.") var plan: String?
    @Option(help: "A file for the report as a page, with the faults on a time line.") var report: String?
    @Option(help: "The number of hosts, from 1 to 9; 3 where this machine can have several, otherwise 1.")
    var hosts: Int?
    @Option(help: "The name of a known defect that is to be found, or all or none.") var sabotage: String?
    @Option(help: "The folder for the stack, which is removed afterwards; FOLDER-logs keeps logs of broken promises.")
    var folder = ".local-proof"

    func validate() throws {
        guard minutes > 0, minutes <= 24 * 60 else { throw ValidationError("--minutes takes a number from 0 to 1440") }
        guard hosts.map((1...9).contains) != false else { throw ValidationError("--hosts takes a number from 1 to 9") }
        guard (20...20_000).contains(phones) else { throw ValidationError("--phones takes a number from 20 to 20000") }
    }

    func run() async throws {
        EventLoopTasks.install()
        if let sabotage { return try await prove(sabotage: sabotage) }
        let seed = seed ?? .random(in: 1...999_999)
        let settings = ProofRun.Settings(
            seed: seed,
            length: .milliseconds(minutes * 60_000),
            phones: phones,
            habits: try habits.map { try Habits(json: Self.read($0)) } ?? .usual(),
            plan: try plan.map { try FaultPlan(json: Self.read($0)) }
        )
        let system = try await chosenSystem()
        let facts = await RunFacts.current()
        Console.line("seed \(seed)")
        try await untilInterrupted {
            let result = try await ProofRun(system, settings) { Console.line("  … \($0)") }.run()
            for line in result.text { Console.line(line) }
            if let report {
                try ProofPage(result, facts).html.write(toFile: report, atomically: true, encoding: .utf8)
            }
            guard result.isKept else { throw StackError("a promise was not kept, or is not known to be") }
        }
    }

    /// Several hosts, where that is possible; otherwise one.
    private func chosenSystem() async throws -> any ProofSystem {
        let stack = "\(Executables.folder)/stack"
        if hosts != 1 {
            do {
                try await ClusterRun.requireTools()
                return ProofCluster(path: folder, stack: stack, size: hosts ?? 3)
            } catch  where hosts == nil {
                Console.line("  … on one host: \(error)")
            }
        }
        let obstacle = await ProofStack.smallDiskObstacle
        if let obstacle { Console.line("  … without a full disk: \(obstacle)") }
        return try ProofStack(path: folder, stack: stack, hasSmallDisk: obstacle == nil)
    }

    private static func read(_ path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw StackError("\(path) cannot be read")
        }
    }
}
