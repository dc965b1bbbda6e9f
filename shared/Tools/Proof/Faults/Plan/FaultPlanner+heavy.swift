extension FaultPlanner {
    /// How often an order of the heavy faults is looked for before one of them is left out.
    private static let orders = 50

    /// Places the heavy faults one after the other, with random pauses: at most one at a time.
    mutating func placeHeavy(using generator: inout some RandomNumberGenerator) {
        var chosen = drawHeavy(using: &generator)
        while !chosen.isEmpty {
            for _ in 0..<Self.orders {
                let spread = spread(chosen.shuffled(using: &generator), using: &generator)
                guard isFair(spread) else { continue }
                for fault in spread { _ = place(fault) }
                return
            }
            chosen.removeLast()
        }
    }

    /// The faults without their times: one of each kind, if the run is long enough, then those that are repeated. They take
    /// at most half of the run.
    private func drawHeavy(using generator: inout some RandomNumberGenerator) -> [PlannedFault] {
        let minutes = Self.minutes(length)
        var firsts: [PlannedFault] = []
        var repeated: [PlannedFault] = []
        for kind in offered(heavy: true) {
            let rate = rules[kind.kind].perMinute
            let phase = Double.random(in: 0..<1, using: &generator)
            let count = Self.count(rate, from: 0, to: minutes, phase: phase)
            for number in 0..<(minutes >= 10 && rate > 0 ? max(1, count) : count) {
                let fault = draw(kind, in: 0..<1, using: &generator)
                if number == 0 { firsts.append(fault) } else { repeated.append(fault) }
            }
        }
        firsts.shuffle(using: &generator)
        repeated.shuffle(using: &generator)
        var (chosen, taken): ([PlannedFault], Int64) = ([], 0)
        for fault in firsts + repeated {
            let time = time(of: fault)
            guard taken + time <= length / 2 else { continue }
            chosen.append(fault)
            taken += time
        }
        return chosen
    }

    /// Until something else may fail, in microseconds.
    private func time(of fault: PlannedFault) -> Int64 {
        let hold = FaultHold(fault, rules)
        return hold.quietUntil - hold.from
    }

    /// The faults in turn, with random pauses before, between and after them.
    private func spread(
        _ faults: [PlannedFault],
        using generator: inout some RandomNumberGenerator
    ) -> [PlannedFault] {
        // No pause is very short.
        let shares = (0...faults.count).map { _ in 0.2 + Double.random(in: 0..<1, using: &generator) }
        let free = length - faults.map(time).reduce(0, +)
        let unit = Double(free) / shares.reduce(0, +)
        var time: Int64 = 0
        return zip(faults, shares).map { fault, share in
            var fault = fault
            fault.begins = Moment(microseconds: time + Int64(unit * share))
            time = FaultHold(fault, rules).quietUntil
            return fault
        }
    }

    private func isFair(_ faults: [PlannedFault]) -> Bool {
        let holds = faults.map { FaultHold($0, rules) }
        return holds.indices.allSatisfy { index in
            holds[..<index].allSatisfy { !$0.conflicts(with: holds[index]) }
        }
    }
}
