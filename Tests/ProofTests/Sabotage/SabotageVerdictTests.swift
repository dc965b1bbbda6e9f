import Testing

@testable import Proof

struct SabotageVerdictTests {
    private static func trial() throws -> SabotageTrial { try #require(try SabotageTrial.named("nameKept").first) }

    private static func finding(_ promise: String, _ moments: Double?...) -> Finding {
        let violations = moments.map { moment in
            let steps = moment.map { [Step(at: .seconds($0), phone: "phone 1", what: "read")] } ?? []
            return Violation("It was seen at \(moment ?? -1).", story: steps)
        }
        return Finding(promise, checked: 9, violations: violations)
    }

    private static func verdict(_ findings: Finding...) throws -> SabotageVerdict {
        SabotageVerdict(try trial(), findings, start: .seconds(10))
    }

    @Test func expectedPromise_hasFoundIt_alsoAfterAnother() throws {
        let promise = try Self.trial().promise
        let verdict = try Self.verdict(
            Self.finding("Another one."),
            Self.finding("One more.", 11),
            Self.finding(promise, 45, 41.5)
        )
        #expect(verdict.isFound)
        #expect(
            verdict.text
                == "✓ nameKept: found by \"A person who left is nowhere.\" after 31 s of play: It was seen at 41.5."
        )
    }

    @Test func anotherPromise_isNamed() throws {
        let verdict = try Self.verdict(Self.finding(Self.trial().promise), Self.finding("Another one.", 11))
        #expect(verdict.isFound)
        #expect(verdict.text.hasPrefix("✓ nameKept: found by another promise, \"Another one.\" after 1 s of play"))
        #expect([verdict].text == "1 of 1 found, 1 of them by another promise than expected")
    }

    @Test func whatOnlyTablesShow_isSeenAtTheEnd() throws {
        let verdict = try Self.verdict(Self.finding(Self.trial().promise, nil))
        #expect(verdict.text.contains("nowhere.\" at the end: It was seen"))
    }

    @Test func keptPromises_andWhatIsUndecided_findNothing() throws {
        var undecided = Self.finding(try Self.trial().promise)
        undecided.undecided = ["It was not decided."]
        let verdict = try Self.verdict(undecided)
        #expect(!verdict.isFound && verdict.text == "✗ nameKept: missed")
        let failed = SabotageVerdict(try Self.trial(), failed: "the stack does not start")
        #expect(!failed.isFound && failed.text == "✗ nameKept: not tried, the stack does not start")
        #expect([verdict, failed].text == "0 of 2 found")
    }
}
