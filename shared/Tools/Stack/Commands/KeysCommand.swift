import ArgumentParser
import Contracts
import FoundationEssentials
import StackKit

/// `stack keys`: replaces the keys of internal calls in `.env`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Replaces the keys by which programs call each other, while calls go on.",
        discussion: """
            Each program has a private key of its own and knows the public keys of all. Three steps, and after each of them
            all programs are started again, one after the other:
              stack keys add    gives each program a second key, which is accepted
              stack keys use    the second key signs; the first is still accepted
              stack keys drop   removes the first key
            For some programs only, name them: stack keys add chat payments. `stack keys use` again takes the step back.
            """
    )

    enum Step: String, ExpressibleByArgument, CaseIterable {
        case list, add, use, drop

        /// The step after it.
        var next: Step? {
            switch self {
            case .list, .drop: nil
            case .add: .use
            case .use: .drop
            }
        }
    }

    @Argument(help: "The step; list shows the beginnings of the public keys.")
    var step: Step

    @Argument(help: "The programs; all without it.")
    var programs: [ProgramName] = ProgramName.allCases

    @Option(name: .customLong("in"), help: "The folder with .env.")
    var folder = "."

    func run() throws {
        let path = "\(folder)/.env"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StackError("\(path) cannot be read; run this in its folder, or name it by --in")
        }
        var file = EnvironmentFile(template: String(decoding: data, as: UTF8.self))
        var ring = try InternalKeyRing(file)
        switch step {
        case .list: break
        case .add: try ring.add(to: programs)
        case .use: try ring.use(in: programs)
        case .drop: try ring.drop(from: programs)
        }
        if step != .list {
            try ring.write(to: &file)
            try file.replace(at: path)
        }
        for program in programs { Console.line(ring.line(of: program)) }
        guard step != .list else { return }
        Console.line("Start all programs again, one after the other: docker compose up --detach")
        guard let next = step.next else { return }
        let names = programs == ProgramName.allCases ? [] : programs.map(\.rawValue)
        Console.line("Then: \((["stack keys", next.rawValue] + names).joined(separator: " "))")
    }
}

extension ProgramName: ExpressibleByArgument {}
