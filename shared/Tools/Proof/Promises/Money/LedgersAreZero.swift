/// The balances of a ledger add up to zero at every instant.
///
/// Assumes that a sample is one snapshot of all entries of a ledger; those of one order are a ledger of their own.
///
/// Checks each sample's sum, and that the balances which other tables state are those of the entries.
package enum LedgersAreZero {
    package static let promise = "Every ledger adds up to zero at every instant."

    /// - Returns: At most one violation of each kind for each ledger, the first.
    package static func check(_ samples: [LedgerSample]) -> Finding {
        let ledgers = Dictionary(grouping: samples, by: \.ledger).sorted { $0.key < $1.key }
        let violations = ledgers.flatMap { _, samples in
            let ordered = samples.sorted { $0.at < $1.at }
            return [imbalance(ordered), difference(ordered)].compactMap { $0 }
        }
        return Finding(promise, checked: samples.count, violations: violations)
    }

    private static func imbalance(_ samples: [LedgerSample]) -> Violation? {
        guard let index = samples.firstIndex(where: { sum($0) != 0 }) else { return nil }
        let sample = samples[index]
        let before = index > 0 ? samples[index - 1] : nil
        var story = before.map { [Step(at: $0.at, phone: $0.ledger, what: "adds up to 0")] } ?? []
        let accounts = Set(sample.balances.keys).union(before?.balances.keys ?? [:].keys).sorted()
        for account in accounts {
            let (old, new) = (before?.balances[account] ?? 0, sample.balances[account] ?? 0)
            guard old != new, story.count < Violation.longestStory else { continue }
            story.append(Step(at: sample.at, phone: sample.ledger, what: "\(account): \(new), before \(old)"))
        }
        return Violation("At \(sample.at) the ledger \(sample.ledger) added up to \(sum(sample)).", story: story)
    }

    private static func difference(_ samples: [LedgerSample]) -> Violation? {
        for sample in samples {
            let different = sample.stated.sorted { $0.key < $1.key }.filter { sample.balances[$0.key] ?? 0 != $0.value }
            guard let (account, stated) = different.first else { continue }
            let booked = sample.balances[account] ?? 0
            let story = different.map { account, stated in
                let text = "\(account): \(stated) stated, \(sample.balances[account] ?? 0) booked"
                return Step(at: sample.at, phone: sample.ledger, what: text)
            }
            return Violation(
                "At \(sample.at) \(account) of the ledger \(sample.ledger) had \(stated), but its entries are \(booked).",
                story: story
            )
        }
        return nil
    }

    private static func sum(_ sample: LedgerSample) -> Int64 { sample.balances.values.reduce(0, +) }
}
