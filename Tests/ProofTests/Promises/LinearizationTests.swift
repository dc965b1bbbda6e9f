import Proof
import Testing
import Values

struct LinearizationTests {
    private typealias Call = TimedCall<RegisterModel.Call>

    private func verdict(_ calls: [TimedCall<RegisterModel.Call>], steps: Int = 1_000_000)
        -> Linearization<RegisterModel>.Verdict
    {
        var steps = steps
        return Linearization(RegisterModel(nil), calls).verdict(steps: &steps)
    }

    private func write(_ value: String?, _ begun: Int64, _ ended: Int64?) -> TimedCall<RegisterModel.Call> {
        TimedCall(.write(value), begun: begun, ended: ended)
    }

    private func read(_ value: String?, _ begun: Int64, _ ended: Int64) -> TimedCall<RegisterModel.Call> {
        TimedCall(.read(value), begun: begun, ended: ended)
    }

    @Test func emptyHistory_isExplained() {
        #expect(verdict([]) == .explained)
        #expect(verdict([write("a", 0, nil)]) == .explained)
    }

    @Test func readDuringWrite_hasTheOldOrTheNewValue() {
        #expect(verdict([write("a", 0, 10), read("a", 2, 4), read("a", 5, 6)]) == .explained)
        #expect(verdict([write("a", 0, 10), read(nil, 2, 4), read("a", 5, 6)]) == .explained)
    }

    @Test func valueThatIsReadAgainAfterItsSuccessor_isAContradiction() {
        #expect(verdict([write("a", 0, 10), read("a", 2, 4), read(nil, 5, 6)]) == .contradiction(6))
    }

    /// The only order is the reverse of that of the begins.
    @Test func overlappingWrites_areOrderedByTheirReadings() {
        let calls = [
            write("a", 0, 30), write("b", 1, 30), write("c", 2, 30), read("c", 3, 10), read("b", 11, 20),
            read("a", 21, 29),
        ]
        #expect(verdict(calls) == .explained)
        #expect(verdict(calls + [read("b", 31, 32)]) == .contradiction(32))
    }

    /// Two readers disagree about the order of two writes (Herlihy and Wing, figure 1).
    @Test func readersThatDisagree_areAContradiction() {
        let calls = [
            write("a", 0, 4), write("b", 0, 4), read("a", 5, 6), read("b", 7, 8), read("a", 9, 10),
        ]
        #expect(verdict(calls) == .contradiction(8))
    }

    @Test func callWithUnknownAnswer_mayTakeEffectLateOrNever() {
        let lost = write("b", 1, nil)
        #expect(verdict([write("a", 0, 2), lost, read("a", 3, 4)]) == .explained)
        #expect(verdict([write("a", 0, 2), lost, read("a", 3, 4), read("b", 90, 91)]) == .explained)
        #expect(verdict([lost, read("b", 3, 4), write("a", 5, 6), read("b", 7, 8)]) == .contradiction(8))
        #expect(verdict([read("b", 0, 0), lost]) == .contradiction(0))
    }

    @Test func callWithUnknownAnswer_hasNoEffectAfterItsLatestTime() {
        let lost = TimedCall(RegisterModel.Call.write("b"), begun: 1, ended: nil, latest: 20)
        #expect(verdict([lost, write("a", 10, 12), read("b", 13, 30)]) == .explained)
        #expect(verdict([lost, write("a", 10, 12), read("a", 21, 25), read("b", 26, 30)]) == .contradiction(30))
    }

    @Test func manyUnknownWritesOfTheSameValue_areTriedOnce() {
        let lost = (0..<60).map { write("x", $0, nil) } + (0..<60).map { write("y", $0, nil) }
        #expect(verdict(lost + [read("z", 100, 101)], steps: 10_000) == .contradiction(101))
    }

    @Test func limitOfSteps_leavesItUndecided() {
        let calls = (0..<14).map { write("\($0)", 0, 1000) } + [read("none", 1, 999)]
        #expect(verdict(calls, steps: 500) == .undecided)
    }

    @Test func concurrentWrites_areDecidedDespiteTheirNumber() {
        let calls = (0..<12).map { write("\($0)", 0, 1000) } + [read("none", 1, 999)]
        #expect(verdict(calls) == .contradiction(999))
    }

    @Test(arguments: 0..<4) func randomRegister_isExplained_andItsMutationIsNot(seed: UInt64) {
        var random = SplitMix(state: seed)
        var calls: [TimedCall<RegisterModel.Call>] = []
        // By the time of the effect, which is between begin and end.
        var value: String?
        for number in 0..<120 {
            let effect = Int64(number) * 10
            let (begun, ended) = (
                effect - .random(in: 0...25, using: &random), effect + .random(in: 0...25, using: &random)
            )
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                value = "\(number)"
                calls.append(write(value, begun, ended))
            case 4:
                if Bool.random(using: &random) { value = "\(number)" }
                calls.append(write("\(number)", begun, nil))
            default:
                calls.append(read(value, begun, ended))
            }
        }
        #expect(verdict(calls) == .explained)

        // A reading of a value that was replaced long before.
        guard
            case .read(let old?) = calls.first(where: { $0.call != .read(nil) && $0.ended != nil && isRead($0) })?.call
        else { return }
        calls.append(read(old, 2_200, 2_201))
        #expect(verdict(calls) == .contradiction(2_201))
    }

    private func isRead(_ call: TimedCall<RegisterModel.Call>) -> Bool {
        if case .read = call.call { true } else { false }
    }
}
