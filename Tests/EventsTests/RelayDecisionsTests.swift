import FoundationEssentials
import ServiceKit
import Testing
import Values

@testable import Events

@Suite struct RelayDecisionsTests {
    private typealias Decisions = RelayDecisions

    private let now = ContinuousClock.now

    private func deliveries(_ names: [String], size: Int = 2) -> [Delivery] {
        names.enumerated().map { place, name in
            let body = String(repeating: "0", count: size)
            return Delivery(event: Int64(place), id: UUID(), name: name, body: body, refusals: 0)
        }
    }

    private func events(_ step: Decisions.Step) -> [[Int64]] {
        step.requests.map { $0.deliveries.map(\.event) }
    }

    /// The actions with the events that they concern.
    private func texts(_ actions: [Decisions.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .confirm(let deliveries): "confirm \(deliveries.map(\.event))"
            case .setBack(let failures): "set back \(failures.map(\.delivery.event))"
            case .putOff(let deliveries, _, let error):
                "put off \(deliveries.map(\.event))" + (error == nil ? "" : " as tried")
            case .expectRetry: "expect a retry"
            case .wake(let lane): "wake \(lane)"
            }
        }
    }

    @Test func requests_areBatchesOfUntriedEvents_andSingleOnesOfOthers() {
        var random = SplitMix(state: 1)
        let decisions = Decisions(OutboxRelay.RetryPolicy())
        let taken = DeliveryStore.Taken(deliveries: deliveries(["a", "b", "a"]))
        #expect(events(decisions.take(taken, on: .fresh, at: now, using: &random)) == [[0, 1, 2]])
        #expect(events(decisions.take(taken, on: .tried, at: now, using: &random)) == [[0], [1], [2]])
    }

    @Test func namedEvents_areSetBack_andTheOthersAreSentAgain() throws {
        var random = SplitMix(state: 1)
        var decisions = Decisions(OutboxRelay.RetryPolicy())
        let list = deliveries(["a", "b", "a"])
        let refusal = EventRefusals.Refusal(id: list[1].id, reason: .unsubscribed, message: "unknown")
        let batches = DeliveryBatch.batches(of: list)
        let step = decisions.end(.refused([list[1].id: refusal]), of: batches, at: now, using: &random)
        #expect(texts(step.actions) == ["set back [1]", "expect a retry", "wake tried"])
        #expect(events(step) == [[0, 2]])
        // Others of the name are postponed without a request for half a minute.
        let taken = DeliveryStore.Taken(deliveries: list)
        let next = decisions.take(taken, on: .fresh, at: now + .seconds(29), using: &random)
        #expect(texts(next.actions) == ["set back [1]", "expect a retry", "wake tried"])
        #expect(events(next) == [[0, 2]])
        #expect(events(decisions.take(taken, on: .fresh, at: now + .seconds(30), using: &random)) == [[0, 1, 2]])
    }

    @Test func failedBatch_isTriedOneByOne_andLaterOnesStayUntried() throws {
        var random = SplitMix(state: 1)
        var decisions = Decisions(OutboxRelay.RetryPolicy())
        let batches = DeliveryBatch.batches(of: deliveries(["a", "a", "a"], size: 1 << 19))
        let step = decisions.end(.failed(.unavailable("chat")), of: batches, at: now, using: &random)
        #expect(
            texts(step.actions) == ["put off [0, 1] as tried", "put off [2]", "expect a retry", "wake tried"]
        )
        #expect(step.requests.isEmpty)
        guard case .rest(let pause) = try #require(step.pause) else {
            Issue.record("\(step)")
            return
        }
        #expect(pause >= .milliseconds(100) && pause <= .milliseconds(200))
        #expect(decisions.limit(of: .fresh, at: now) == 128)
    }

    /// The table is read when the retry is due, or after the sweep.
    @Test func idleLane_sleepsUntilTheNextRetry() throws {
        var random = SplitMix(state: 1)
        var decisions = Decisions(OutboxRelay.RetryPolicy())
        func sleep(_ lane: Delivery.Lane, _ decisions: Decisions, at instant: ContinuousClock.Instant) -> Duration? {
            guard case .sleep(let time) = decisions.take(.init(), on: lane, at: instant, using: &random).pause else {
                return nil
            }
            return time
        }
        decisions.expectRetry(in: .seconds(2), from: now)
        decisions.expectRetry(in: .seconds(3), from: now)
        #expect(sleep(.fresh, decisions, at: now) == .seconds(5))
        #expect(sleep(.tried, decisions, at: now) == .seconds(2))
        #expect(sleep(.tried, decisions, at: now + .seconds(4)) == .zero)
        _ = decisions.limit(of: .tried, at: now + .seconds(4))
        #expect(sleep(.tried, decisions, at: now + .seconds(4)) == .seconds(5))
    }

    @Test func triedEvent_isPutOffForTheSubscriber_andSetBackForItself() {
        var random = SplitMix(state: 1)
        var decisions = Decisions(OutboxRelay.RetryPolicy())
        let batch = DeliveryBatch(deliveries(["a"])[0])
        let unavailable: [InternalCallError] = [.unavailable("chat"), .refused("chat", status: 404)]
        for error in unavailable {
            let end = decisions.end(.failed(error), ofTried: batch, at: now, using: &random)
            #expect(texts(end.actions) == ["put off [0] as tried", "expect a retry"])
            #expect(!end.hasAnswered)
        }
        let end = decisions.end(.failed(.refused("chat", status: 500)), ofTried: batch, at: now, using: &random)
        #expect(texts(end.actions) == ["set back [0]", "expect a retry", "wake tried"])
        #expect(!end.hasAnswered)
        let delivered = decisions.end(.delivered, ofTried: batch, at: now, using: &random)
        #expect(texts(delivered.actions) == ["confirm [0]"])
        #expect(delivered.hasAnswered)
    }
}
