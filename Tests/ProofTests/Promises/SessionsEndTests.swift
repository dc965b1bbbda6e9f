import Proof
import Testing

struct SessionsEndTests {
    private var history: SessionHistory {
        var history = SessionHistory()
        history.ends = [SessionEnd(Attempt(1, 10, 10.5), session: "s", .signOut)]
        history.uses = [
            TokenUse(Attempt(1, 5, 5.1), session: "s"), TokenUse(Attempt(1, 11.4, 11.6), session: "s"),
            TokenUse(Attempt(1, 12, 12.1, .refused("401")), session: "s"),
            TokenUse(Attempt(1, 13, 14, .lost), session: "s", .refresh), TokenUse(Attempt(2, 20, 21), session: "t"),
        ]
        history.sockets = [
            SessionSocket(phone: "phone 1", session: "s", opened: .seconds(2), closed: .seconds(11.4)),
            SessionSocket(phone: "phone 2", session: "t", opened: .seconds(2), closed: nil),
        ]
        return history
    }

    private func ends(_ change: (inout SessionHistory) -> Void) -> Finding {
        var history = history
        change(&history)
        return SessionsEnd.check(history, end: .seconds(60))
    }

    @Test func lateAnnouncement_isExcusedByAFailure() {
        var history = SessionHistory()
        history.uses = [TokenUse(Attempt(1, 12.5, 12.6), session: "s")]
        func violations(_ reason: SessionEnd.Reason, failureBegins: Double) -> Int {
            history.ends = [SessionEnd(Attempt(1, 10, 10.5), session: "s", reason)]
            let begun = Moment.seconds(failureBegins)
            let failure = FaultSpan("stop auth", begun: begun, ended: begun.after(1_000_000), kinds: ["auth"])
            return SessionsEnd.check(history, failures: [failure], end: .seconds(60)).violations.count
        }
        #expect(violations(.revocation, failureBegins: 11) == 0)
        // Over since more than two seconds, or not begun yet.
        #expect(violations(.revocation, failureBegins: 7) == 1)
        #expect(violations(.revocation, failureBegins: 13) == 1)
        // The gateway knows these ends by the answer.
        #expect(violations(.signOut, failureBegins: 11) == 1)
        #expect(violations(.theft, failureBegins: 11) == 1)
    }

    @Test func endedSession_isNotAlive() {
        let finding = ends { _ in }
        #expect(finding.sentences == [])
        #expect(finding.checked == 1)
        #expect(SignOutsHaveReasons.check(history).isKept)
    }

    @Test func callAfterTheEnd_isFound() {
        let finding = ends { $0.uses.append(TokenUse(Attempt(1, 11.6, 12), session: "s")) }
        #expect(finding.sentences == ["phone 1 used session s 1.100 s after its end by sign-out."])
        #expect(
            finding.stories == [["phone 1 ended session s by sign-out", "phone 1 called with a token of session s"]]
        )
    }

    @Test func openSocket_isFound() {
        #expect(
            ends { $0.sockets[0].closed = nil }.sentences == [
                "A socket of phone 1 was still open 49.500 s after the end of session s."
            ]
        )
        #expect(
            ends { $0.sockets[0].closed = .seconds(13) }.sentences == [
                "A socket of phone 1 was closed only 2.500 s after the end of session s."
            ]
        )
    }

    @Test func endWithAnUnknownAnswer_promisesNothing() {
        #expect(
            ends { history in
                history.ends[0].attempt.outcome = .lost
                history.uses.append(TokenUse(Attempt(1, 30, 31), session: "s"))
            }.isKept
        )
    }

    @Test func signOutWithoutReason_isFound() {
        var history = history
        history.ends = []
        let finding = SignOutsHaveReasons.check(history)
        #expect(finding.sentences == ["phone 1 was signed out of session s without a reason."])
        #expect(finding.violations.first?.story.count == 3)
        history.uses.append(TokenUse(Attempt(1, 14, 14.1, .refused("401")), session: "s"))
        #expect(SignOutsHaveReasons.check(history).violations.count == 1, "once for a session")
    }

    @Test(arguments: [SessionEnd.Reason.theft, .withdrawal, .revocation, .operation])
    func signOutWithReason_isKept(reason: SessionEnd.Reason) {
        var history = history
        history.ends = [SessionEnd(Attempt(2, 11, nil, .lost), session: "s", reason)]
        #expect(SignOutsHaveReasons.check(history).isKept)
        history.ends[0].attempt.outcome = .refused("403")
        #expect(!SignOutsHaveReasons.check(history).isKept)
        history.ends = [SessionEnd(Attempt(2, 15, 16), session: "s", reason)]
        #expect(!SignOutsHaveReasons.check(history).isKept, "it began afterwards")
    }

    @Test func expiredToken_isAReason() {
        var history = history
        history.ends = []
        history.uses[2].validUntil = .seconds(11)
        #expect(SignOutsHaveReasons.check(history).isKept)
        history.uses[2].validUntil = .seconds(100)
        #expect(!SignOutsHaveReasons.check(history).isKept)
    }
}
