import Contracts
import StackKit
import Values

/// The report of a load as a page.
package struct LoadPage {
    private let report: LoadReport
    private let facts: RunFacts

    package init(_ report: LoadReport, _ facts: RunFacts) { (self.report, self.facts) = (report, facts) }

    package var html: String {
        let (machine, used) = report.peoplePerProcessor(of: facts.machine.cores)
        let summary = """
            <p>\(ReportPage.text(report.verdict))</p>
            <p><b>\(Figure.text(machine))</b> people per vCPU of the machine, <b>\(Figure.text(used))</b> per vCPU that the \
            system used, which were \(Figure.text(report.processorsUsed)). The load generator and the stand-in for outside \
            systems used \(Figure.text(outside)) more on the same machine.</p>
            """
        return ReportPage(
            title: "Load, seed \(report.seed)",
            verdict: report.isGood
                ? "\(report.people.grouped) people within every threshold" : "Thresholds broke",
            facts: facts,
            seed: report.seed,
            content: """
                \(summary)<h2>Acts with \(report.people.grouped) people</h2>\(acts)
                <h2>Over time</h2>\(LoadPlots(report).overview)
                <h2>Time of each kind of act</h2><p>From the time at which an act was due to its answer; p50, p99, and the \
                threshold of p99.</p>\(LoadPlots(report).kinds)
                <h2>Where the time goes</h2>\(programs)
                <h2>Numbers that were tried</h2>\(trials)
                """
        ).html
    }

    private var outside: Double {
        let used = report.processors.filter { ProgramMeter.outside.contains($0.key) }.values.reduce(0, +)
        return used / max(report.seconds, 1)
    }

    private var acts: String {
        let (acts, broken) = (report.acts, Set(report.breaches.map(\.kind)))
        let rows = report.kinds.compactMap { kind in
            acts[kind].map { acts in
                let (threshold, p99) = (report.thresholds[kind], acts.latencies.quantile(0.99) ?? 0)
                let numbers = [
                    acts.count.grouped, Figure.text(acts.latencies.quantile(0.5) ?? 0), Figure.text(p99),
                    Figure.text(threshold.p99), acts.errors.grouped, acts.refused.grouped,
                ]
                let title = ReportPage.text(threshold.title)
                return ReportPage.row([title] + numbers, numbers: 1, isBad: broken.contains(kind))
            }
        }
        return ReportPage.table(["Act", "Count", "p50 ms", "p99 ms", "p99 at most", "Failed", "Refused"], rows)
    }

    // MARK: Processors

    /// A row for each service, with what PostgreSQL does for it, and for each other program.
    private var programs: String {
        let (times, acts) = (report.processors, report.acts)
        let seconds = max(report.seconds, 1)
        var known: Set<String> = []
        let services = ServiceName.allCases.map(\.rawValue).compactMap { name -> (Double, String)? in
            let (own, database) = (times[name] ?? 0, times[ProgramMeter.database(of: name)] ?? 0)
            known.formUnion([name, ProgramMeter.database(of: name)])
            guard own + database > 0 else { return nil }
            let count = acts.filter { report.thresholds[$0.key].service == name }.values.reduce(0) { $0 + $1.count }
            let each = count > 0 ? Figure.text((own + database) * 1000 / Double(count)) : "–"
            return (own + database, row(name, own / seconds, database / seconds, "\(count.grouped)", each))
        }
        let total = acts.values.reduce(0) { $0 + $1.count }
        let others = times.filter { !known.contains($0.key) && $0.value > 0 }.map { name, time in
            let each = name == "gateway" && total > 0 ? Figure.text(time * 1000 / Double(total)) : "–"
            return (time, row(name, time / seconds, 0, name == "gateway" ? total.grouped : "–", each))
        }
        let rows = (services + others).sorted { $0.0 > $1.0 }.map(\.1)
        return """
            <p>Processors that were used while the number was held. Acts are those that the service answers; it also works \
            for events and for other services.</p>\(ReportPage.table(
                ["Program", "vCPU", "PostgreSQL for it, vCPU", "Acts", "ms of both for an act"], rows))
            """
    }

    private func row(_ name: String, _ own: Double, _ database: Double, _ acts: String, _ each: String) -> String {
        let figures = [Figure.text(own), database > 0 ? Figure.text(database) : "–", acts, each]
        return ReportPage.row([ReportPage.text(name)] + figures, numbers: 1)
    }

    private var trials: String {
        guard !report.control.trials.isEmpty else { return "<p>None.</p>" }
        let rows = report.control.trials.map { trial in
            ReportPage.row(
                [
                    trial.people.grouped, "\(trial.good)", "\(trial.bad)",
                    ReportPage.text(trial.breaches.joined(separator: "; ")),
                ],
                isBad: trial.isGood == false
            )
        }
        return ReportPage.table(["People", "Good windows", "Bad windows", "What broke"], rows)
    }
}
