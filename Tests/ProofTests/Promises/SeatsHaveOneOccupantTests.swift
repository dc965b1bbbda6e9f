import Contracts
import Proof
import Testing

struct SeatsHaveOneOccupantTests {
    private let seat = SeatID(rawValue: 12)
    private let other = SeatID(rawValue: 13)

    private func act(_ phone: Int64, _ begun: Double, _ ended: Double?, _ call: SeatCall, _ outcome: Outcome = .done)
        -> SeatAct
    {
        let car: String? = if call == .leave || call == .end { nil } else { "2429" }
        return SeatAct(Attempt(phone, begun, ended, outcome), car: car, call)
    }

    private func account(_ number: Int64) -> AccountID { AccountID(rawValue: number) }

    private func read(_ begun: Double, _ ended: Double, _ occupants: [SeatID: Int64]) -> SeatAct {
        act(9, begun, ended, .read(occupants.mapValues { AccountID(rawValue: $0) }))
    }

    private let taken = Outcome.refused("409 SEAT_ALREADY_RESERVED")

    @Test func seatsThatAreTakenAndLeft_areKept() {
        let finding = SeatsHaveOneOccupant.check([
            act(1, 1, 2, .sit(seat)), act(2, 1, 2, .sit(seat), taken), read(1, 1.5, [:]), read(2, 3, [seat: 1]),
            act(1, 4, 5, .leave), act(2, 4.5, 6, .sit(seat)), read(7, 8, [seat: 2]),
            act(1, 8, 9, .leave, .refused("409 USER_NOT_RESERVED")),
        ])
        #expect(finding.isKept)
        #expect(finding.checked == 8)
    }

    @Test func twoOccupants_areFound() {
        let finding = SeatsHaveOneOccupant.check([
            read(0, 0.5, [:]), act(3, 0, 1, .sit(other)), act(1, 1, 2, .sit(seat)), act(3, 2, 3, .leave),
            act(2, 3, 4, .sit(seat)), act(3, 5, 6, .sit(seat), taken),
        ])
        #expect(finding.sentences == ["Seat 12 of car 2429 had two occupants: phone 1 and phone 2 sat down on it."])
        #expect(finding.stories == [["phone 1 sat down on seat 12", "phone 2 sat down on seat 12"]])
        #expect(finding.violations.first?.story.map(\.trace) == ["trace 1 1.0", "trace 2 3.0"])
    }

    @Test func passengerWithTwoSeats_isFound() {
        let finding = SeatsHaveOneOccupant.check([
            act(1, 1, 2, .sit(seat)), act(2, 1, 2, .sit(SeatID(rawValue: 14))), act(1, 3, 4, .sit(other)),
        ])
        #expect(finding.sentences == ["phone 1 had two seats in car 2429."])
        #expect(finding.stories.first == ["phone 1 sat down on seat 12", "phone 1 sat down on seat 13"])
    }

    @Test func passengerWithSeatsInTwoCars_isFound() {
        let elsewhere = SeatAct(Attempt(1, 3, 4), car: "2430", .sit(SeatID(rawValue: 99)))
        #expect(!SeatsHaveOneOccupant.check([act(1, 1, 2, .sit(seat)), elsewhere]).isKept)
        let moves = [act(1, 1, 2, .sit(seat)), act(1, 2.2, 2.5, .leave), elsewhere, act(1, 5, 6, .leave)]
        #expect(SeatsHaveOneOccupant.check(moves).isKept)
    }

    @Test func lostOccupant_isFound() {
        let finding = SeatsHaveOneOccupant.check([
            act(1, 1, 2, .sit(seat)), act(2, 1, 2, .sit(other)), read(3, 4, [other: 2]),
        ])
        #expect(
            finding.sentences == [
                "Seat 12 of car 2429: no order of the acts explains that phone 9 read the car with seat 12 free (done)."
            ]
        )
        #expect(finding.stories.first?.count == 2)
    }

    @Test func occupantWhoNeverSatDown_isFound() {
        let finding = SeatsHaveOneOccupant.check([
            act(1, 1, 2, .sit(seat), .refused("409 USER_ALREADY_RESERVED")), read(3, 4, [seat: 1]),
        ])
        #expect(finding.violations.count == 1)
    }

    /// The seats are right one by one, but no moment has both.
    @Test func readingOfTwoTimes_isFound() {
        let third = SeatID(rawValue: 14)
        let finding = SeatsHaveOneOccupant.check([
            act(1, 1, 2, .sit(seat)), act(2, 1, 2, .sit(third)), act(1, 3, 4, .leave), act(2, 5, 6, .leave),
            read(2.5, 7, [third: 2]), read(2.5, 7, [seat: 1, third: 2]), read(2.5, 7.5, [seat: 1]),
        ])
        #expect(
            finding.sentences == [
                "Car 2429: no order of the acts explains that phone 9 read the car with account 1 on seat 12 (done)."
            ]
        )
    }

    // MARK: Unknown answers

    @Test(arguments: [[:], [SeatID(rawValue: 12): 1]]) func unknownSitting_mayHaveHappened(seen: [SeatID: Int64]) {
        let acts = [act(1, 1, 2, .sit(seat), .lost), read(3, 4, [:]), read(60, 61, seen)]
        #expect(SeatsHaveOneOccupant.check(acts).isKept)
    }

    @Test func unknownSitting_cannotBeUndone() {
        let acts = [act(1, 1, 2, .sit(seat), .lost), read(3, 4, [seat: 1]), read(5, 6, [:])]
        #expect(SeatsHaveOneOccupant.check(acts).violations.count == 1)
        #expect(SeatsHaveOneOccupant.check(acts + [act(1, 4.5, 5, .leave, .lost)]).isKept)
        #expect(SeatsHaveOneOccupant.check(acts + [act(1, 3, nil, .end, .lost)]).isKept)
    }

    @Test func unknownAct_hasNoEffectAfterTheLimit() {
        var rules = SeatRules()
        rules.lateness = 30_000_000
        let acts = [act(1, 1, 2, .sit(seat), .lost), read(3, 4, [:]), read(60, 61, [:]), read(70, 71, [seat: 1])]
        #expect(SeatsHaveOneOccupant.check(acts).isKept)
        #expect(!SeatsHaveOneOccupant.check(acts, rules: rules).isKept)
    }

    // MARK: Requests

    @Test func acceptedRequest_handsOver() {
        let owner = account(1)
        let acts = [
            act(1, 1, 2, .sit(seat)), act(2, 1, 2, .sit(other)), act(2, 3, 4, .request(seat)),
            act(3, 3, 4, .request(seat)), act(1, 5, 6, .accept(seat, of: account(2))), read(7, 8, [seat: 2]),
            act(1, 7, 8, .accept(seat, of: account(2))), act(2, 7, 8, .confirm(seat)),
            act(1, 7, 8, .accept(seat, of: account(3)), .refused("409 YIELD_ACCEPT_FAILED")),
            act(2, 9, 10, .cancel(seat), .refused("409 YIELD_ACCEPT_FAILED")),
            act(3, 9, 10, .sit(other)), act(2, 11, 12, .leave), read(13, 14, [other: 3]),
        ]
        #expect(SeatsHaveOneOccupant.check(acts).isKept)
        #expect(owner == acts[0].attempt.account)
    }

    @Test func requesterWhoKeepsBothSeats_isFound() {
        let acts = [
            act(1, 1, 2, .sit(seat)), act(2, 1, 2, .sit(other)), act(2, 3, 4, .request(seat)),
            act(1, 5, 6, .accept(seat, of: account(2))), read(7, 8, [seat: 2, other: 2]),
        ]
        #expect(!SeatsHaveOneOccupant.check(acts).isKept)
    }

    @Test func twoAcceptedRequests_areFound() {
        let acts = [
            act(1, 1, 2, .sit(seat)), act(2, 3, 4, .request(seat)), act(3, 3, 4, .request(seat)),
            act(1, 5, 6, .accept(seat, of: account(2))), act(1, 7, 8, .accept(seat, of: account(3))),
        ]
        let finding = SeatsHaveOneOccupant.check(acts)
        #expect(finding.violations.count == 1)
        #expect(finding.violations.first?.story.count ?? 99 <= 5)
    }

    @Test func cancelledRequest_isNotAccepted() {
        let acts = [
            act(1, 1, 2, .sit(seat)), act(2, 3, 4, .request(seat)), act(2, 5, 6, .cancel(seat)),
            act(1, 7, 8, .accept(seat, of: account(2))),
        ]
        #expect(!SeatsHaveOneOccupant.check(acts).isKept)
        var late = acts
        late[2].attempt.outcome = .lost
        #expect(SeatsHaveOneOccupant.check(late).isKept)
        late[3].attempt.outcome = .refused("409 YIELD_ACCEPT_FAILED")
        #expect(SeatsHaveOneOccupant.check(late).isKept)
    }

    @Test func request_expiresAfterItsTimeOnly() {
        let refused = Outcome.refused("409 YIELD_ACCEPT_FAILED")
        func acts(_ time: Double) -> [SeatAct] {
            [
                act(1, 1, 2, .sit(seat)), act(2, 3, 4, .request(seat)),
                act(1, time, time + 1, .accept(seat, of: account(2)), refused),
            ]
        }
        #expect(SeatsHaveOneOccupant.check(acts(184)).isKept)
        #expect(!SeatsHaveOneOccupant.check(acts(20)).isKept)
    }

    @Test func limitOfSteps_isNotTakenForKept() {
        var rules = SeatRules()
        rules.steps = 10
        let finding = SeatsHaveOneOccupant.check([act(1, 1, 2, .sit(seat)), read(3, 4, [seat: 1])], rules: rules)
        #expect(!finding.isKept)
        #expect(finding.undecided == ["Car 2429, seat 12: not decided within the limit of steps."])
    }
}
