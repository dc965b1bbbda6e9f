/// Every acknowledged write is there.
///
/// Assumes that the history has every write of each place that it has readings of, with unknown outcomes where no answer
/// says what happened, and that a place without readings is checked elsewhere. A write replaces the value whatever it
/// was, and its repetition changes nothing.
///
/// Checks for each place that its writes and readings can be ordered so that each reading has the value of the write
/// before it (linearizability of a register). A write with an unknown outcome may have happened at any time after its
/// begin, or not at all; a refused one has not.
package enum WritesAreKept {
    package static let promise = "Every acknowledged write is there."

    /// - Parameter steps: The limit of the search for each place.
    package static func check(_ history: WriteHistory, steps: Int = 1_000_000) -> Finding {
        var finding = Finding(promise, checked: history.writes.count { $0.attempt.outcome.isDone }, violations: [])
        let writes = Dictionary(grouping: history.writes.filter { !$0.attempt.outcome.isRefused }, by: \.place)
        for (place, readings) in Dictionary(grouping: history.readings, by: \.place).sorted(by: { $0.key < $1.key }) {
            let register = Register(
                place: place,
                initial: history.initial[place],
                writes: writes[place] ?? [],
                readings: readings
            )
            finding.violations += register.violation(steps: steps, &finding.undecided).map { [$0] } ?? []
        }
        return finding
    }

    private struct Register {
        var place: String
        var initial: String?
        var writes: [Write]
        var readings: [WriteReading]

        func violation(steps: Int, _ undecided: inout [String]) -> Violation? {
            let calls =
                writes.map { write in
                    TimedCall(
                        RegisterModel.Call.write(write.value),
                        begun: write.attempt.begun.microseconds,
                        ended: write.attempt.outcome.isUnknown ? nil : write.attempt.ended?.microseconds
                    )
                }
                + readings.map { reading in
                    TimedCall(
                        RegisterModel.Call.read(reading.value),
                        begun: reading.begun.microseconds,
                        ended: reading.ended.microseconds
                    )
                }
            let model = RegisterModel(initial)
            var left = steps
            switch Linearization(model, calls).verdict(steps: &left) {
            case .explained:
                return nil
            case .undecided:
                undecided.append("\(place): not decided within the limit of steps.")
                return nil
            case .contradiction(let end):
                return violation(Contradiction.core(of: calls, model, end: end, steps: steps))
            }
        }

        /// - Parameter core: Indices of the writes, and after them of the readings.
        private func violation(_ core: [Int]) -> Violation {
            let wrote = core.filter { $0 < writes.count }.map { writes[$0] }
            let read = core.filter { $0 >= writes.count }.map { readings[$0 - writes.count] }
            let story = wrote.map(\.step) + read.map(\.step)
            guard read.count == 1, let reading = read.first else {
                return Violation("\(place): no order of the writes explains what was read.", story: story)
            }
            let value = reading.value.map { "\"\($0)\"" } ?? "nothing"
            guard let last = wrote.max(by: { $0.attempt.begun < $1.attempt.begun }) else {
                return Violation("\(place): \(reader(reading)) had \(value), which no phone wrote.", story: story)
            }
            let lost = last.value.map { "\"\($0)\"" } ?? "its deletion"
            return Violation(
                "\(place): \(reader(reading)) had \(value), although \(lost) of \(last.attempt.phone) was acknowledged.",
                story: story
            )
        }

        private func reader(_ reading: WriteReading) -> String { "\(reading.reader) at \(reading.begun)" }
    }
}
