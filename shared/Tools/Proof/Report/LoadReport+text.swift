import Values

extension LoadReport {
    /// What the load has shown, in a sentence or two.
    package var verdict: String {
        let sentence = isFixed ? fixedVerdict : foundVerdict
        return isInterrupted ? "Interrupted: \(sentence)" : sentence
    }

    private var fixedVerdict: String {
        guard !counted.isEmpty else { return "no window was measured." }
        guard isGood else {
            return "\(people.grouped) people are too many: \(breaches.map(\.sentence).joined(separator: ", "))."
        }
        return "\(people.grouped) people were served within every threshold."
    }

    private var foundVerdict: String {
        guard !isSoak else { return soakVerdict }
        guard people > 0, !counted.isEmpty else {
            return "no number of people was found that every threshold holds for."
        }
        guard isGood else { return "not even \(people.grouped) people were served within every threshold.\(limit)" }
        let good = counted.count { $0.breaches.isEmpty }
        let windows = "in \(good) of \(counted.count) windows"
        return "\(people.grouped) people were served within every threshold, \(windows).\(limit)"
    }

    /// What stands against more people.
    private var limit: String {
        guard let bad = control.bad else {
            guard people < signedUp else { return " These are as many as signed up: more may be served." }
            return " The time did not suffice to try more."
        }
        let reasons = control.trials.last { $0.people == bad && $0.isGood == false }?.breaches ?? []
        return " With \(bad.grouped), \(reasons.prefix(2).joined(separator: ", and "))."
    }

    /// People for each processor: of the machine, and of those that the system used.
    package func peoplePerProcessor(of cores: Int) -> (machine: Double, used: Double) {
        (Double(people) / Double(max(cores, 1)), processorsUsed > 0 ? Double(people) / processorsUsed : 0)
    }

    /// The kinds of acts in the table.
    var kinds: [ActKind] { ActKind.allCases.filter { acts[$0] != nil } }

    /// The report as lines of text.
    ///
    /// - Parameter cores: Of the machine.
    package func text(cores: Int) -> [String] {
        let acts = acts
        let rows = kinds.compactMap { kind in acts[kind].map { row(thresholds[kind].title, $0, thresholds[kind].p99) } }
        let (machine, used) = peoplePerProcessor(of: cores)
        let times = ProgramMeter.withOneDatabase(processors).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let programs = times.filter { $0.value / max(seconds, 1) >= 0.005 }.map { name, time in
            "\(name) \(Figure.text(time / max(seconds, 1)))"
        }
        return Self.aligned([["", "acts", "p50 ms", "p99 ms", "at most", "failed", "refused"]] + rows) + [
            "", verdict.prefix(1).uppercased() + verdict.dropFirst(),
            "People per vCPU: \(Figure.text(machine)) of the machine's \(cores), \(Figure.text(used)) of the "
                + "\(Figure.text(processorsUsed)) that the system used.",
            "Processors used: \(programs.joined(separator: ", ")).",
        ] + (isSoak ? soakText : [])
    }

    private func row(_ title: String, _ acts: LoadWindow.Acts, _ threshold: Double) -> [String] {
        [
            title, acts.count.grouped, Figure.text(acts.latencies.quantile(0.5) ?? 0),
            Figure.text(acts.latencies.quantile(0.99) ?? 0), Figure.text(threshold), acts.errors.grouped,
            acts.refused.grouped,
        ]
    }

    /// The first column to the left, the others to the right.
    static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + blanks : "  " + blanks + row[column]
            }.joined()
        }
    }
}
