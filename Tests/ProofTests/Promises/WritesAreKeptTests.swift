import Proof
import Testing

struct WritesAreKeptTests {
    private let place = "nickname of account 1"

    private func write(
        _ value: String?,
        _ begun: Double,
        _ ended: Double,
        _ outcome: Outcome = .done,
        by phone: Int64 = 1
    )
        -> Write
    {
        Write(Attempt(phone, begun, ended, outcome), place, value)
    }

    private func read(_ value: String?, _ begun: Double, _ ended: Double, by reader: String = "table") -> WriteReading {
        WriteReading(place, value, reader: reader, begun: .seconds(begun), ended: .seconds(ended))
    }

    private func check(_ writes: [Write], _ readings: [WriteReading], initial: String? = nil) -> Finding {
        var history = WriteHistory()
        (history.writes, history.readings) = (writes, readings)
        history.initial[place] = initial
        return WritesAreKept.check(history)
    }

    @Test func lastAcknowledgedWrite_isThere() {
        let writes = [write("a", 1, 2), write("b", 3, 4), write("x", 5, 6, .refused("400 NICKNAME"))]
        let finding = check(writes, [read("a", 2.5, 2.6, by: "phone 2"), read("b", 9, 9)])
        #expect(finding.isKept)
        #expect(finding.checked == 2)
    }

    @Test(arguments: ["a", "b"]) func ofConcurrentWrites_anyMayBeLast(value: String) {
        #expect(check([write("a", 1, 4), write("b", 2, 3)], [read(value, 9, 9)]).isKept)
    }

    @Test(arguments: ["a", "b"]) func unknownWrite_mayBeLastOrNever(value: String) {
        let writes = [write("b", 1, 2, .lost), write("a", 3, 4)]
        #expect(check(writes, [read("a", 5, 6), read(value, 9, 9)]).isKept)
    }

    @Test func lostWrite_isFound() {
        let finding = check([write("a", 1, 2), write("b", 3, 4, by: 2)], [read("a", 9, 9)])
        #expect(
            finding.sentences == [
                "nickname of account 1: table at 9.000 s had \"a\", although \"b\" of phone 2 was acknowledged."
            ]
        )
        #expect(finding.violations.first?.story.last?.what == "read nickname of account 1 = \"a\" until 9.000 s")
    }

    @Test func missingComment_isFound() {
        let finding = check([write("there", 1, 2)], [read(nil, 9, 9)])
        #expect(
            finding.sentences == [
                "nickname of account 1: table at 9.000 s had nothing, although \"there\" of phone 1 was acknowledged."
            ]
        )
    }

    @Test func valueOfNoWrite_isFound() {
        #expect(
            check([write("a", 1, 2)], [read("q", 9, 9)]).sentences == [
                "nickname of account 1: table at 9.000 s had \"q\", which no phone wrote."
            ]
        )
        #expect(check([], [read("q", 9, 9)], initial: "q").isKept)
    }

    @Test func writeThatGoesBack_isFound() {
        let writes = [write("a", 1, 2), write("b", 3, 8)]
        let readings = [read("b", 4, 5, by: "phone 2"), read("a", 6, 7, by: "phone 3"), read("b", 9, 9)]
        let finding = check(writes, readings)
        #expect(finding.violations.count == 1)
        #expect(finding.stories.first?.count == 2, "the readings in the wrong order")
    }

    @Test func deletion_isKept() {
        #expect(check([write("there", 1, 2), write(nil, 3, 4)], [read(nil, 9, 9)]).isKept)
        #expect(
            check([write("there", 1, 2), write(nil, 3, 4)], [read("there", 9, 9)]).sentences == [
                "nickname of account 1: table at 9.000 s had \"there\", although its deletion of phone 1 was acknowledged."
            ]
        )
    }

    @Test func refusedWrite_leavesNoTrace() {
        var history = WriteHistory()
        history.writes = [
            write("a", 1, 2), write("secret", 3, 4, .refused("403 NOT_YOURS"), by: 7),
            write("a", 5, 6, .refused("400 SAME"), by: 8),
        ]
        history.readings = [read("a", 8, 8)]
        #expect(RefusalsHaveNoTrace.check(history).isKept)
        history.readings.append(read("secret", 9, 9, by: "phone 3"))
        let finding = RefusalsHaveNoTrace.check(history)
        #expect(finding.checked == 2)
        #expect(
            finding.sentences == ["nickname of account 1: phone 3 has \"secret\", which phone 7 was refused."]
        )
        #expect(finding.violations.first?.story.first?.what.hasSuffix("refused, 403 NOT_YOURS at 4.000 s") == true)
    }

    @Test func refusedWriteWithTheValueOfAnUnknownOne_isExplained() {
        var history = WriteHistory()
        history.writes = [write("a", 1, 2, .lost), write("a", 3, 4, .refused("409 TWICE"))]
        history.readings = [read("a", 9, 9)]
        #expect(RefusalsHaveNoTrace.check(history).isKept)
    }
}
