import Testing

@testable import Bench

/// Two phones, and a car with four states.
@Suite struct SeatRecordTests {
    private let record = SeatRecord(phones: 2, states: 4)

    private func change(_ count: Int = 1) {
        for _ in 0..<count {
            record.changeBegun()
            record.changeAcknowledged()
        }
    }

    @Test func laterMap_showsEarlierChanges() {
        change(3)
        record.shows(3, phone: 0)
        #expect(record.outdated == ["the phone at gateway 2 shows change none of 3"])
        record.shows(1, phone: 1)
        #expect(record.outdated == ["the phone at gateway 2 shows change 1 of 3"])
        record.shows(3, phone: 1)
        #expect(record.outdated == [])
        let slowest = record.slowestDelivery
        #expect(slowest > 0)
        // What has been shown before counts for the first time.
        record.shows(3, phone: 1)
        #expect(record.slowestDelivery == slowest)
    }

    @Test func olderMap_isOutdated() {
        change(2)
        for phone in 0...1 { record.shows(2, phone: phone) }
        record.shows(1, phone: 0)
        #expect(record.outdated == ["the phone at gateway 1 shows change 1 of 2"])
        record.shows(nil, phone: 0)
        #expect(record.outdated == ["the phone at gateway 1 shows change none of 2"])
    }

    @Test func statesRepeat() {
        change(6)
        for phone in 0...1 { record.shows(2, phone: phone) }
        #expect(record.outdated == [])
    }

    @Test func phase_hasChangesOfItsOwn() {
        change(2)
        for phone in 0...1 { record.shows(2, phone: phone) }
        record.begin()
        #expect(record.count == 0 && record.slowestDelivery == 0 && record.slowestChange == 0)
        #expect(record.isQuiet)
        record.changeBegun()
        #expect(record.count == 1 && !record.isQuiet)
        // A map may come before the answer.
        for phone in 0...1 { record.shows(3, phone: phone) }
        record.changeAcknowledged()
        #expect(record.isQuiet && record.outdated == [] && record.slowestDelivery <= 0)
    }
}
