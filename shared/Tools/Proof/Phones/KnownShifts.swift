import Values

/// What the phone of a worker knows of its shifts. Of each day it plans one shift, and removes it once at most.
struct KnownShifts: Sendable {
    /// Those that were acknowledged, and are to be there; nil for an id that could not be read.
    private(set) var there: [WorkedShift: Int64?] = [:]
    /// Those that may be there: an answer was lost, or the gateway may have repeated a request that it does not say so of.
    private(set) var open: Set<WorkedShift> = []
    private var days: Set<CivilDate> = []

    /// The most shifts of a month that are open; with that many it gets no others.
    private static let mostOpen = 6

    /// Months and those of their days whose weeks are whole, so that a month's pay depends on no other.
    private static let calendar: [(month: CivilMonth, days: ClosedRange<Int>)] = [
        (CivilMonth(year: 2025, month: 6), 2...29), (CivilMonth(year: 2025, month: 9), 1...28),
        (CivilMonth(year: 2025, month: 11), 3...30),
    ]

    static var months: [CivilMonth] { calendar.map(\.month) }

    /// A shift of a day without one; nil if there is none that may get one.
    func new(_ random: inout SplitMix) -> WorkedShift? {
        guard let (month, days) = Self.calendar.randomElement(using: &random), open(in: month).count < Self.mostOpen
        else {
            return nil
        }
        let day = Int.random(in: days, using: &random)
        guard let date = CivilDate(year: month.year, month: month.month, day: day), !self.days.contains(date) else {
            return nil
        }
        // From six in the morning until five the next one.
        let length = Int.random(in: 4...18, using: &random) * 30
        let rest = length >= 480 ? 60 : length >= 240 ? 30 : 0
        return WorkedShift(date, start: Int.random(in: 12...40, using: &random) * 30, length: length, rest: rest)
    }

    /// One that the phone can remove; nil without one.
    func any(_ random: inout SplitMix) -> (shift: WorkedShift, id: Int64)? {
        let known = there.compactMap { shift, id in id.map { (shift: shift, id: $0) } }.sorted { $0.id < $1.id }
        guard let one = known.randomElement(using: &random), open(in: one.shift.date.month).count < Self.mostOpen else {
            return nil
        }
        return one
    }

    mutating func plan(_ shift: WorkedShift, _ outcome: Outcome, id: Int64?) {
        days.insert(shift.date)
        if outcome == .done { there[shift] = .some(id) } else { open.insert(shift) }
    }

    mutating func remove(_ shift: WorkedShift, _ outcome: Outcome) {
        there[shift] = nil
        if outcome != .done { open.insert(shift) }
    }

    func there(in month: CivilMonth) -> [WorkedShift] {
        there.keys.filter { $0.date.month == month }.sorted { $0.date < $1.date }
    }

    func open(in month: CivilMonth) -> [WorkedShift] {
        open.filter { $0.date.month == month }.sorted { $0.date < $1.date }
    }
}
