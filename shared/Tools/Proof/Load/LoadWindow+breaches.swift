import Values

extension LoadWindow {
    /// The thresholds that broke, as far as that is not chance: of a few acts one may be late.
    func breaches(of thresholds: Thresholds) -> [Breach] {
        let total = total
        var breaches: [Breach] = []
        if Chance.exceeds(total.errors, of: total.count, share: thresholds.errors) {
            let share = Figure.text(Double(total.errors) / Double(max(total.count, 1)) * 100)
            let goal = Figure.text(thresholds.errors * 100)
            breaches.append(Breach(kind: nil, sentence: "\(share) % of the acts failed instead of \(goal) %"))
        }
        for kind in ActKind.allCases {
            guard let own = acts[kind] else { continue }
            let late = own.late + own.waiting
            guard Chance.exceeds(late, of: own.count + own.waiting, share: 0.01) else { continue }
            let threshold = thresholds[kind]
            let p99 = own.latencies.quantile(0.99) ?? threshold.p99
            let sentence =
                p99 > threshold.p99
                ? "p99 of \"\(threshold.title)\" was \(Figure.text(p99)) ms instead of \(Figure.text(threshold.p99)) ms"
                : "\(late) of \"\(threshold.title)\" took longer than \(Figure.text(threshold.p99)) ms"
            breaches.append(Breach(kind: kind, sentence: sentence))
        }
        return breaches
    }

    /// How close the slowest kind of act came to its threshold: 1 is on it. Kinds of few acts do not count.
    func use(of thresholds: Thresholds) -> Double {
        acts.filter { $0.value.count >= 20 }.map { kind, acts in
            (acts.latencies.quantile(0.99) ?? 0) / thresholds[kind].p99
        }.max() ?? 0
    }
}
