import Contracts
import FoundationEssentials
import Postgres
import Values

/// A worker's shifts in a transaction that holds the worker's lock. Changes are checked for overlaps, and pay is
/// recalculated at the end.
struct WorkerSchedule {
    let worker: Worker
    let transaction: PostgresTransaction
    private let wages: WageHistory
    /// The dates of all changed shifts, before and after the change.
    private var touchedDates: Set<CivilDate> = []
    private var touchedSeries: Set<SeriesID> = []

    private let shifts = ShiftStore()
    private let series = SeriesStore()
    private let links = ShiftRoutineStore()
    private let clockings = ClockingStore()

    /// - Throws: `WorkforceError.workerNotFound` for a worker who has left meanwhile.
    init(_ worker: Worker, in transaction: PostgresTransaction) async throws {
        try await WorkplaceStore().lock(worker: worker.id, in: transaction)
        self.worker = worker
        self.transaction = transaction
        wages = try await WageStore().history(of: worker.id, in: transaction)
    }

    /// Updates series and pay. Must be called last before the commit.
    func settle(_ pay: PayrollProjection) async throws {
        if !touchedSeries.isEmpty { try await series.settle(touchedSeries.sorted(), in: transaction) }
        try await pay.refresh(worker.id, around: touchedDates, in: transaction)
    }

    // MARK: Reads

    /// A shift of the worker.
    ///
    /// - Throws: `WorkforceError.shiftNotFound`; `.rule` for another worker's.
    func shift(_ id: ShiftID) async throws -> ShiftRecord {
        guard let shift = try await shifts.shift(id, in: transaction) else { throw WorkforceError.shiftNotFound }
        guard shift.worker == worker.id else { throw WorkforceError.rule("이 근무자의 근무가 아닙니다.") }
        return shift
    }

    /// A shift and the following ones of its series.
    ///
    /// - Throws: as `shift`; `WorkforceError.rule` for a single shift.
    func following(_ id: ShiftID) async throws -> (shift: ShiftRecord, all: [ShiftRecord]) {
        let shift = try await shift(id)
        guard let series = shift.series else { throw WorkforceError.rule("반복 근무가 아닙니다.") }
        return (shift, try await shifts.shifts(ofSeries: series, since: shift.date, in: transaction))
    }

    /// - Throws: `WorkforceError.rule` for a plan that overlaps another shift. Shifts begun by the clock are not
    ///   checked.
    private func requireFree(_ plan: ShiftPlan, ignoring ignored: [ShiftID]) async throws {
        guard let first = plan.occurrences.first, let last = plan.occurrences.last else { return }
        // No shift is longer than a day.
        let days = first.date + -1...last.date + 1
        let taken = try await shifts.times(of: worker.id, on: days, ignoring: ignored, in: transaction)
        guard let overlap = plan.overlap(with: taken) else { return }
        throw WorkforceError.rule("\(overlap.date)에 시간이 겹치는 근무가 이미 있습니다.")
    }

    // MARK: Changes

    /// Inserts a plan, and a series if it repeats.
    ///
    /// - Parameters:
    ///   - clocked: clock times by date.
    ///   - ignored: shifts that will be deleted.
    /// - Returns: the new shifts, in the order of the plan.
    mutating func add(
        _ plan: ShiftPlan,
        clocked: [CivilDate: ShiftRecord] = [:],
        ignoring ignored: [ShiftID] = []
    ) async throws -> [ShiftID] {
        try await requireFree(plan, ignoring: ignored)
        var drafts = plan.drafts(at: wages)
        for index in drafts.indices {
            guard let record = clocked[drafts[index].date] else { continue }
            drafts[index].startedAt = record.startedAt
            drafts[index].endedAt = record.endedAt
        }
        var seriesID: SeriesID?
        if let recurrence = plan.recurrence {
            seriesID = try await series.insert(recurrence, of: worker.id, in: transaction)
        }
        if let seriesID { touchedSeries.insert(seriesID) }
        touchedDates.formUnion(drafts.map(\.date))
        return try await shifts.insert(drafts, of: worker, series: seriesID, in: transaction)
    }

    /// Inserts an unplanned shift with a clock-in.
    mutating func begin(at now: Date) async throws -> ShiftID {
        let date = SeoulTime.date(of: now)
        let draft = ShiftDraft(date: date, startsAt: now, startedAt: now, terms: wages.snapshot(on: date))
        touchedDates.insert(date)
        return try await shifts.insert([draft], of: worker, in: transaction)[0]
    }

    /// Stores a clock-out.
    mutating func finish(_ shift: ShiftRecord) async throws {
        touchedDates.insert(shift.date)
        try await clockings.finish(shift, in: transaction)
    }

    /// Changes one shift, which stays in its series.
    mutating func edit(_ shift: ShiftRecord, to plan: ShiftPlan) async throws {
        let draft = plan.drafts(at: wages)[0]
        // At an unchanged time, a shift begun by the clock may overlap it.
        if (draft.startsAt, draft.endsAt) != (shift.startsAt, shift.endsAt) {
            try await requireFree(plan, ignoring: [shift.id])
        }
        touchedDates.formUnion([shift.date, draft.date])
        try await shifts.update(shift.id, to: draft, in: transaction)
    }

    mutating func remove(_ records: [ShiftRecord]) async throws {
        touch(records)
        try await shifts.delete(records.map(\.id), in: transaction)
    }

    /// Replaces shifts of a series by a plan. Clock times and completed tasks move to the new shift on the same date; a
    /// shift that has begun and has no successor is kept as a single one.
    ///
    /// - Parameters:
    ///   - old: in ascending order.
    ///   - link: links the new shifts to routines, given their predecessors; called before the old shifts are deleted.
    /// - Returns: the new shifts.
    mutating func replace(
        _ old: [ShiftRecord],
        by plan: ShiftPlan,
        link: ([ShiftID], [ShiftCopy]) async throws -> Void
    ) async throws -> [ShiftID] {
        let succession = SeriesReplacement(of: old, by: plan)
        let leaving = old.filter { !succession.kept.contains($0.id) }
        touch(old)
        let new = try await add(plan, clocked: succession.predecessors, ignoring: leaving.map(\.id))
        let copies = zip(plan.occurrences, new).compactMap { occurrence, id in
            succession.predecessors[occurrence.date].map { ShiftCopy(original: $0.id, copy: id) }
        }
        try await link(new, copies)
        try await links.copyCompletions(copies, in: transaction)
        try await clockings.move(copies, in: transaction)
        try await series.release(succession.kept, in: transaction)
        try await shifts.delete(leaving.map(\.id), in: transaction)
        return new
    }

    private mutating func touch(_ records: [ShiftRecord]) {
        touchedDates.formUnion(records.map(\.date))
        touchedSeries.formUnion(records.compactMap(\.series))
    }
}
