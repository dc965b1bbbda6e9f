extension FaultPlanner {
    /// How often a place is looked for before a fault is left out.
    private static let attempts = 40

    /// Places the other faults minute by minute: as many of each kind as its rate says, and others in the place of those
    /// that find none.
    mutating func placeLight(using generator: inout some RandomNumberGenerator) {
        let kinds = offered(heavy: false)
        let total = kinds.map { rules[$0.kind].perMinute }.reduce(0, +)
        guard total > 0 else { return }
        let scale = rules.faultsPerMinute / total
        let phases = kinds.map { _ in Double.random(in: 0..<1, using: &generator) }
        for start in stride(from: Int64(0), to: length, by: Int64.Stride(Self.minute)) {
            let range = start..<min(start + Self.minute, length)
            let (from, to) = (Self.minutes(range.lowerBound), Self.minutes(range.upperBound))
            var due: [FaultOffer.Kind] = []
            for (kind, phase) in zip(kinds, phases) {
                let rate = rules[kind.kind].perMinute * scale
                due += Array(repeating: kind, count: Self.count(rate, from: from, to: to, phase: phase))
            }
            due.shuffle(using: &generator)
            var missing = 0
            for kind in due where !place(kind, in: range, using: &generator) { missing += 1 }
            var attempts = missing * Self.attempts
            while missing > 0, attempts > 0, let kind = weighted(kinds, using: &generator) {
                if place(draw(kind, in: range, using: &generator)) { missing -= 1 }
                attempts -= 1
            }
        }
        guard length >= 10 * Self.minute else { return }
        for kind in kinds where rules[kind.kind].perMinute > 0 && !faults.contains(where: { $0.kind == kind.kind }) {
            for _ in 0..<50 where place(kind, in: 0..<length, using: &generator) { break }
        }
    }

    private mutating func place(
        _ kind: FaultOffer.Kind,
        in range: Range<Int64>,
        using generator: inout some RandomNumberGenerator
    ) -> Bool {
        for _ in 0..<Self.attempts where place(draw(kind, in: range, using: &generator)) { return true }
        return false
    }
}
