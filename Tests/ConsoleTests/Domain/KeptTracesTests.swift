import Contracts
import Testing

@testable import Console

@Suite(.timeLimit(.minutes(1))) struct KeptTracesTests {
    private let kept = KeptTraces()

    @Test func traces_comeOnce_afterThePosition() async {
        let first = await kept.next(after: nil)
        #expect(first.traces == [])
        kept.insert(["a", "b", "a"])
        let second = await kept.next(after: first.position)
        #expect(second.traces == ["a", "b"])
        kept.insert(["b", "c"])
        #expect(await kept.next(after: second.position).traces == ["c"])
        #expect(await kept.next(after: first.position).traces == ["a", "b", "c"])
    }

    @Test func waitingProgram_getsTracesOfAMomentInOneAnswer() async {
        let position = await kept.next(after: nil).position
        async let next = kept.next(after: position)
        while kept.followers == 0 { await Task.yield() }
        kept.insert(["a"])
        kept.insert(["b"])
        #expect(await next.traces == ["a", "b"])
    }

    /// The console was started anew.
    @Test(arguments: ["0123456789abcdef-7", "x", "--", "1-2-3"])
    func positionOfAnotherProcess_isThePresentEnd(position: String) async {
        kept.insert(["a"])
        let next = await kept.next(after: position)
        #expect(next.traces == [] && next.position != position)
    }

    @Test func oldestTraces_areForgotten() async {
        let position = await kept.next(after: nil).position
        kept.insert((0..<20_000).map(String.init))
        let next = await kept.next(after: position)
        #expect(next.traces.count == 16_384 && next.traces.last == "19999")
    }
}
