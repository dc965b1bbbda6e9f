import Proof
import Testing
import Values

/// Random writes of several phones to places that keep them, and their mutations.
struct RandomWritesTests {
    private struct Run {
        var history = WriteHistory()
        /// The values at the end, with the time since which each is there.
        var last: [String: (value: String?, since: Double)] = [:]
    }

    private func run(_ seed: UInt64) -> Run {
        var random = SplitMix(state: seed)
        var run = Run()
        for number in 0..<600 {
            let (phone, place) = (
                Int64.random(in: 1...8, using: &random), "place \(Int.random(in: 0..<25, using: &random))"
            )
            let effect = Double(number) / 10
            let begun = effect - .random(in: 0.01...0.5, using: &random)
            let ended = effect + .random(in: 0.01...0.5, using: &random)
            let value = Int.random(in: 0..<5, using: &random) == 0 ? nil : "\(number)"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                run.history.writes.append(Write(Attempt(phone, begun, ended), place, value))
                run.last[place] = (value, effect)
            case 5:
                run.history.writes.append(Write(Attempt(phone, begun, ended, .lost), place, value))
                if Bool.random(using: &random) { run.last[place] = (value, effect) }
            case 6:
                run.history.writes.append(
                    Write(Attempt(phone, begun, ended, .refused("400 NO")), place, "no \(number)")
                )
            default:
                run.history.readings.append(
                    WriteReading(
                        place,
                        run.last[place]?.value,
                        reader: "phone \(phone)",
                        begun: .seconds(begun),
                        ended: .seconds(ended)
                    )
                )
            }
        }
        for (place, last) in run.last {
            run.history.readings.append(
                WriteReading(place, last.value, reader: "table", begun: .seconds(100), ended: .seconds(100))
            )
        }
        return run
    }

    @Test(arguments: 0..<10) func keptWrites_areKept(seed: UInt64) {
        let history = run(seed).history
        #expect(WritesAreKept.check(history).sentences == [])
        #expect(WritesAreKept.check(history).undecided == [])
        #expect(RefusalsHaveNoTrace.check(history).isKept)
    }

    @Test(arguments: 0..<10) func lostWrite_isFound(seed: UInt64) throws {
        var history = run(seed).history
        let write = try #require(
            history.writes.filter { $0.attempt.outcome.isDone && $0.value != nil }.max {
                $0.attempt.begun < $1.attempt.begun
            }
        )
        let index = try #require(history.readings.lastIndex { $0.place == write.place })
        history.readings[index].value = "other"
        let finding = WritesAreKept.check(history)
        #expect(finding.violations.count == 1)
        #expect(finding.sentences.first?.hasPrefix("\(write.place): table at 100.000 s had \"other\"") == true)
    }

    @Test(arguments: 0..<10) func traceOfARefusal_isFound(seed: UInt64) throws {
        var history = run(seed).history
        let refused = try #require(history.writes.first { $0.attempt.outcome.isRefused })
        let index = try #require(history.readings.lastIndex { $0.place == refused.place })
        history.readings[index].value = refused.value
        #expect(RefusalsHaveNoTrace.check(history).violations.count == 1)
        #expect(!WritesAreKept.check(history).isKept)
    }
}
