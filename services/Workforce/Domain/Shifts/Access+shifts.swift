import Contracts
import Postgres

/// Authorization for shifts (MOUP contract 1.4, calls 34 to 40).
extension Access {
    /// A shift that a user may read, as its worker or as the owner of the workplace.
    ///
    /// - Throws: `WorkforceError.shiftNotFound`, `.forbidden`.
    func shift(_ id: ShiftID, seenBy account: AccountID, in database: some Querying) async throws -> CalendarEntry {
        guard let entry = try await CalendarStore().entry(id, in: database) else { throw WorkforceError.shiftNotFound }
        guard entry.isOfWorker(account) || entry.isOfOwner(account) else { throw WorkforceError.forbidden }
        return entry
    }

    /// A shift that a user may change or delete.
    ///
    /// - Throws: as `shift`; `WorkforceError.forbidden` if the owner's account is withdrawn.
    func changeableShift(_ id: ShiftID, by account: AccountID, in database: some Querying) async throws -> CalendarEntry
    {
        let entry = try await shift(id, seenBy: account, in: database)
        try requireWritable(entry.workplace)
        return entry
    }

    /// A shift of the caller that may be changed.
    ///
    /// - Throws: as `changeableShift`; `WorkforceError.forbidden` for the owner, who has separate calls.
    func ownShift(_ id: ShiftID, of account: AccountID, in database: some Querying) async throws -> CalendarEntry {
        let entry = try await changeableShift(id, by: account, in: database)
        guard entry.isOfWorker(account) else { throw WorkforceError.forbidden }
        return entry
    }

    /// A worker at the caller's workplace whose shifts may be changed.
    ///
    /// - Throws: as `owned` and `worker`; `WorkforceError.forbidden` if the owner's account is withdrawn.
    func ownedWorker(
        _ worker: WorkerID,
        at workplace: WorkplaceID,
        by owner: AccountID,
        in database: some Querying
    ) async throws -> (workplace: Workplace, worker: Worker) {
        let workplace = try await owned(workplace, by: owner, in: database)
        try requireWritable(workplace)
        return (workplace, try await self.worker(worker, at: workplace, in: database))
    }
}
