import Proof
import StackKit
import Values

extension ProveCommand {
    /// Tries the proof with known defects, of which it must find each.
    ///
    /// - Parameter name: Of a defect, or `all`; `none` for the same runs without defects.
    func prove(sabotage name: String) async throws {
        guard name != "none" else { return try await proveWithoutSabotage() }
        let trials = try SabotageTrial.named(name)
        guard Sabotage.isBuilt else {
            throw StackError("this stack has no sabotage built in; `make sabotage` builds one in .build/sabotage")
        }
        let run = sabotageRun
        try await untilInterrupted {
            let verdicts = try await run.run(trials)
            Console.line("")
            for verdict in verdicts { Console.line(verdict.text) }
            Console.line(verdicts.text)
            guard verdicts.allSatisfy(\.isFound) else { throw StackError("a known defect was not found") }
        }
    }

    private func proveWithoutSabotage() async throws {
        let (run, trials) = (sabotageRun, try SabotageTrial.all())
        try await untilInterrupted {
            let others = try await run.runWithout(trials)
            Console.line("\(trials.count - others.count) of \(trials.count) runs without a defect kept every promise")
            guard others.isEmpty else {
                throw StackError("without a defect, a promise was not kept or is not known to be")
            }
        }
    }

    private var sabotageRun: SabotageRun {
        SabotageRun(folder: folder, stack: "\(Executables.folder)/stack") { Console.line($0) }
    }
}
