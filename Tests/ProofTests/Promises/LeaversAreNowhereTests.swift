import Proof
import Testing

struct LeaversAreNowhereTests {
    private let leavers = [
        Leaver(Attempt(1, 1, 2), markers: ["nick-1", "text-1"]), Leaver(Attempt(2, 1, 2, .lost), markers: ["nick-2"]),
    ]

    @Test func leaverWithoutTrace_isGone() {
        let found = [Occurrence("nick-2", in: "chat.people.nick", at: .seconds(9))]
        let finding = LeaversAreNowhere.check(leavers, found: found)
        #expect(finding.isKept)
        #expect(finding.checked == 2)
    }

    @Test func markersOfALeaver_areFound() {
        let found = [
            Occurrence("nick-1", in: "chat.people.nick", at: .seconds(9)),
            Occurrence("text-1", in: "community.comments.content", rows: 3, at: .seconds(9)),
        ]
        let finding = LeaversAreNowhere.check(leavers, found: found)
        #expect(
            finding.sentences == ["Account 1 has left, and is still in chat.people.nick, community.comments.content."]
        )
        #expect(
            finding.violations.first?.story.map(\.what) == [
                "withdrew account 1: done at 2.000 s", "has \"nick-1\" in 1 rows", "has \"text-1\" in 3 rows",
            ]
        )
        let kept = LeaversAreNowhere.check(leavers, found: found, keeping: ["chat.people.nick"])
        #expect(kept.sentences == ["Account 1 has left, and is still in community.comments.content."])
    }
}
