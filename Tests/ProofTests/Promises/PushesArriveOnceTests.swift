import Contracts
import Proof
import Testing

struct PushesArriveOnceTests {
    private let first = AccountID(rawValue: 1)
    private let second = AccountID(rawValue: 2)

    /// Three messages to account 1, which has two devices; the third comes with others.
    private var history: PushHistory {
        var history = PushHistory()
        history.occasions = [
            PushOccasion("m1", for: first, at: .seconds(1), thread: "room", number: 1, mustArrive: true),
            PushOccasion("m2", for: first, at: .seconds(2), thread: "room", number: 2, mustArrive: true),
            PushOccasion("m3", for: first, at: .seconds(3), thread: "room", number: 3, mustArrive: true),
            PushOccasion("pay", for: second, at: .seconds(3)),
        ]
        history.holdings = [
            DeviceHolding("d1", of: first, since: .seconds(0)), DeviceHolding("d2", of: first, since: .seconds(0)),
            DeviceHolding("d3", of: second, since: .seconds(0), until: .seconds(10)),
            DeviceHolding("d3", of: first, since: .seconds(11)),
        ]
        for device in ["d1", "d2"] {
            history.arrivals += [
                arrival("a1\(device)", device, 1.5, "m1"), arrival("a2\(device)", device, 2.5, "m2"),
                arrival("a2\(device)", device, 2.9, "m2"), arrival("a3\(device)", device, 6, nil),
            ]
        }
        history.arrivals.append(PushArrival("a4", to: "d3", at: .seconds(12), marker: "pay"))
        return history
    }

    private func arrival(_ id: String, _ device: String, _ at: Double, _ marker: String?) -> PushArrival {
        PushArrival(id, to: device, at: .seconds(at), marker: marker, thread: "room")
    }

    private func sentences(_ change: (inout PushHistory) -> Void) -> [String] {
        var history = history
        change(&history)
        return PushesArriveOnce.check(history).sentences
    }

    @Test func pushesThatArriveOnce_areKept() {
        let finding = PushesArriveOnce.check(history)
        #expect(finding.sentences == [])
        #expect(finding.checked == 9)
    }

    @Test func secondPush_isFound() {
        let found = sentences { $0.arrivals[2].message = "other" }
        #expect(found == ["Device d1 was pushed \"m2\" twice, with different ids."])
    }

    @Test func pushToAnotherPerson_isFound() {
        let found = sentences { $0.arrivals.append(arrival("a9", "d3", 5, "m1")) }
        #expect(found == ["Device d3 was pushed \"m1\", which is for account 1."])
        let late = sentences { $0.arrivals[8].at = .seconds(20) }
        #expect(late == ["Device d3 was pushed \"pay\", which is for account 2."])
    }

    @Test func pushOfNothing_isFound() {
        let found = sentences { $0.arrivals.append(arrival("a9", "d1", 9, "m7")) }
        #expect(found == ["Device d1 was pushed \"m7\", which is no occasion."])
    }

    @Test func pushesInTheWrongOrder_areFound() {
        let found = sentences { history in
            history.arrivals[0].at = .seconds(4)
        }
        #expect(found == ["Device d1 was pushed number 1 of room after 2."])
    }

    @Test func lostPush_isFound() {
        let found = sentences { $0.arrivals.remove(at: 7) }
        #expect(found == ["Device d2 of account 1 was never pushed \"m3\"."])
        let all = sentences { history in history.arrivals.removeAll { $0.device == "d1" } }
        #expect(all.count == 3)
    }
}
