import Testing
import Values

@testable import Proof

struct KnownShiftsTests {
    @Test func shift_isThere_open_orGone_byItsAnswers() throws {
        var (random, shifts) = (SplitMix(state: 1), KnownShifts())
        let kept = try #require(shifts.new(&random))
        shifts.plan(kept, .done, id: 1)
        let lost = try #require(shifts.new(&random))
        shifts.plan(lost, .unknown("no answer"), id: nil)
        let (known, id) = try #require(shifts.any(&random))
        #expect(known == kept && id == 1, "one without an id cannot be removed")
        #expect(shifts.there(in: kept.date.month) == [kept] && shifts.open(in: lost.date.month).contains(lost))
        shifts.remove(kept, .unknown("no answer"))
        #expect(shifts.there(in: kept.date.month).isEmpty && shifts.open(in: kept.date.month).contains(kept))
        #expect(shifts.any(&random) == nil)
    }

    @Test func removedShift_isNowhere() throws {
        var (random, shifts) = (SplitMix(state: 2), KnownShifts())
        let shift = try #require(shifts.new(&random))
        shifts.plan(shift, .done, id: 1)
        shifts.remove(shift, .done)
        #expect(shifts.there(in: shift.date.month).isEmpty && shifts.open(in: shift.date.month).isEmpty)
    }

    @Test func days_areUsedOnce_andOpenOnesAreFew() {
        var (random, shifts, days) = (SplitMix(state: 3), KnownShifts(), [CivilDate]())
        for number in 0..<2_000 {
            guard let shift = shifts.new(&random) else { continue }
            days.append(shift.date)
            shifts.plan(shift, number % 2 == 0 ? .done : .refused("400"), id: Int64(number))
        }
        #expect(Set(days).count == days.count && days.count > 18)
        for month in KnownShifts.months { #expect(shifts.open(in: month).count <= 6) }
        let all = KnownShifts.months.flatMap { shifts.there(in: $0) + shifts.open(in: $0) }
        #expect(Set(all.map(\.date)) == Set(days), "each is of a month that is read")
    }
}
