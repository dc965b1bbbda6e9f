import StackKit

/// Replaces running programs one after the other by new processes of the executables that are built now.
///
/// At any moment a copy of each program serves: if a step fails or is interrupted, the copy that the pid file names stays,
/// and the other one is ended. What a killed upgrade has left is settled by the next command.
struct Upgrade: Sendable {
    let startup: Startup
    /// The names of the programs; the order is that of the table.
    let names: Set<String>

    /// - Throws: `StackError` that says what failed, and what was replaced before.
    func run() async throws {
        let before = processes
        do {
            try await untilInterrupted {
                let startup = try await startup.settle()
                for program in startup.programs.upgradable where names.contains(program.name) {
                    try await replace(program, startup)
                }
            }
        } catch {
            try await startup.settle()
            let after = processes
            let replaced = startup.programs.upgradable.map(\.name).filter { after[$0] != before[$0] }
            let reason = (error as? Interruption).map { "interrupted by \($0.signal)" } ?? "\(error)"
            let outcome =
                replaced.isEmpty ? "Nothing was replaced" : "Replaced before: \(replaced.joined(separator: ", "))"
            throw StackError("\(reason)\n\(outcome); all else goes on as it was.")
        }
    }

    /// The recorded processes that run, by name.
    private var processes: [String: ProcessIdentity] {
        let pairs = startup.programs.upgradable.map { ($0.name, startup.folder.pidFile(of: $0.name).process) }
        return Dictionary(uniqueKeysWithValues: pairs).compactMapValues(\.self)
    }

    private func replace(_ program: Program, _ startup: Startup) async throws {
        guard let old = startup.folder.pidFile(of: program.name).process else {
            throw StackError("\(program.name) does not run; start it with: stack up")
        }
        if program.role == .gateway {
            try await Succession(startup: startup, program: program, old: old).run()
        } else {
            try await Replacement(startup: startup, program: program, old: old).run()
        }
    }
}
