import Testing

@testable import Chat

@Suite struct DeliveryCursorTests {
    @Test func ping_isWrittenOnceUntilTheAcknowledgementIsRecorded() {
        var cursor = DeliveryCursor(at: 0)
        cursor.deliver(through: 1, needsAcknowledgement: true)
        var pings = [cursor.ping()]
        cursor.deliver(through: 2, needsAcknowledgement: true)
        pings.append(cursor.ping())
        let recorded = cursor.acknowledge(1)
        pings.append(cursor.ping())
        cursor.recorded()
        pings.append(cursor.ping())
        #expect(pings == [1, nil, nil, 2])
        #expect(recorded == 1)
        let rest = cursor.acknowledge(2)
        #expect(rest == 2 && cursor.acknowledged == 2)
        cursor.recorded()
        let last = cursor.ping()
        #expect(last == nil)
    }

    @Test func acknowledge_needsThePongToThePing() {
        var cursor = DeliveryCursor(at: 3)
        cursor.deliver(through: 4, needsAcknowledgement: true)
        var recorded = [cursor.acknowledge(4)]
        _ = cursor.ping()
        recorded.append(cursor.acknowledge(3))
        recorded.append(cursor.acknowledge(5))
        #expect(recorded == [nil, nil, nil] && cursor.acknowledged == 3)
        recorded = [cursor.acknowledge(4), cursor.acknowledge(4)]
        #expect(recorded == [4, nil])
    }

    @Test func deliver_withoutFrames_acknowledgesUnlessOutstanding() {
        var cursor = DeliveryCursor(at: 0)
        cursor.deliver(through: 2, needsAcknowledgement: false)
        #expect(cursor.acknowledged == 2)
        cursor.deliver(through: 3, needsAcknowledgement: true)
        cursor.deliver(through: 4, needsAcknowledgement: false)
        #expect(cursor.acknowledged == 2 && cursor.delivered == 4)
        cursor.deliver(through: 1, needsAcknowledgement: false)
        #expect(cursor.delivered == 4)
    }
}
