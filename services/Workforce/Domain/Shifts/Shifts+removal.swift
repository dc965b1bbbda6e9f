import Contracts
import Postgres

/// Deletion of one shift, or of all following shifts in a series (MOUP contract 1.5, calls 39 and 40).
extension Shifts {
    /// - Parameter account: the shift's worker, or the owner of the workplace.
    func remove(_ id: ShiftID, by account: AccountID) async throws {
        let entry = try await access.changeableShift(id, by: account, in: database)
        try await change(entry.worker) { roster in
            try await remove([try await roster.shift(id)], of: entry, from: &roster, by: account)
        }
    }

    /// - Parameter account: the shift's worker, or the owner of the workplace.
    func removeFollowing(_ id: ShiftID, by account: AccountID) async throws {
        let entry = try await access.changeableShift(id, by: account, in: database)
        try await change(entry.worker) { roster in
            try await remove(try await roster.following(id).all, of: entry, from: &roster, by: account)
        }
    }

    private func remove(
        _ shifts: [ShiftRecord],
        of entry: CalendarEntry,
        from roster: inout WorkerSchedule,
        by account: AccountID
    ) async throws {
        try await roster.remove(shifts)
        guard let first = shifts.map(\.date).min() else { return }
        try await tell(
            entry.worker,
            of: .shiftsRemoved,
            at: entry.workplace,
            first: first,
            count: shifts.count,
            shift: nil,
            by: account,
            in: roster.transaction
        )
    }
}
