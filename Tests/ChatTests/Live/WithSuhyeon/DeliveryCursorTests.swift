import NIOCore
import Testing

@testable import Chat

@Suite struct DeliveryCursorTests {
    private static let now = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test func ping_isWrittenOnceUntilTheAcknowledgementIsRecorded() {
        var cursor = DeliveryCursor(at: 0)
        cursor.deliver(through: 1, needsAcknowledgement: true)
        var pings = [cursor.ping(at: Self.now)]
        cursor.deliver(through: 2, needsAcknowledgement: true)
        pings.append(cursor.ping(at: Self.now))
        let recorded = cursor.acknowledge(at: Self.now + .milliseconds(1))
        pings.append(cursor.ping(at: Self.now + .milliseconds(2)))
        cursor.recorded()
        pings.append(cursor.ping(at: Self.now + .milliseconds(3)))
        #expect(pings == [true, false, false, true])
        #expect(recorded == 1)
        let rest = cursor.acknowledge(at: Self.now + .milliseconds(4))
        #expect(rest == 2 && cursor.acknowledged == 2)
        cursor.recorded()
        let last = cursor.ping(at: Self.now + .milliseconds(5))
        #expect(!last)
    }

    @Test func acknowledge_needsDataFromAfterThePing() {
        var cursor = DeliveryCursor(at: 3)
        cursor.deliver(through: 4, needsAcknowledgement: true)
        var recorded = [cursor.acknowledge(at: Self.now)]
        _ = cursor.ping(at: Self.now)
        recorded.append(cursor.acknowledge(at: Self.now))
        #expect(recorded == [nil, nil] && cursor.acknowledged == 3)
        recorded = [cursor.acknowledge(at: Self.now + .nanoseconds(1))]
        #expect(recorded == [4])
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
