import Testing

@testable import ServiceDatabase

@Suite struct OtherCopiesTests {
    private let start = ContinuousClock.now

    /// Whether copies are heard again, and then whether one is silent, at times in seconds.
    private func outcome(of signs: [(Int, String)], at times: Int...) -> (heardAgain: [Bool], silent: [Bool]) {
        var copies = OtherCopies(silence: .seconds(2), memory: .seconds(60))
        let heardAgain = signs.map { copies.receive($1, at: start + .seconds($0)) }
        return (heardAgain, times.map { copies.hasSilent(at: start + .seconds($0)) })
    }

    @Test func copyWithoutSigns_isSilent_andForgotten() {
        #expect(outcome(of: [], at: 0, 100).silent == [false, false])
        #expect(outcome(of: [(0, "+a")], at: 2, 3, 60, 61).silent == [false, true, true, false])
    }

    @Test func copyThatIsHeardAgain_isReported() {
        let (heardAgain, silent) = outcome(of: [(0, "+a"), (1, "+a"), (2, "+b"), (4, "+a")], at: 4, 5)
        #expect(heardAgain == [false, false, false, true])
        #expect(silent == [false, true])
    }

    @Test func copyThatTakesItsLeave_isNotSilent() {
        let (a, b) = (OtherCopies.leave(of: "a"), OtherCopies.leave(of: "b"))
        #expect(outcome(of: [(0, "+a"), (0, "+b"), (0, a)], at: 3).silent == [true])
        #expect(outcome(of: [(0, "+a"), (0, "+b"), (0, a), (0, b)], at: 3).silent == [false])
        #expect(outcome(of: [(0, OtherCopies.sign(of: "a"))], at: 3).silent == [true])
    }

    @Test func allAreForgotten_whenNoneCouldBeHeard() {
        var copies = OtherCopies(silence: .seconds(2), memory: .seconds(60))
        _ = copies.receive("+a", at: start)
        copies.forget()
        let isSilent = copies.hasSilent(at: start + .seconds(3))
        #expect(!isSilent)
    }

    @Test(arguments: ["", "a", "=a"])
    func otherTexts_areNoSigns(text: String) {
        let (heardAgain, silent) = outcome(of: [(0, text)], at: 3)
        #expect(heardAgain == [false])
        #expect(silent == [false])
    }
}
