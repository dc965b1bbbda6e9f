import Contracts
import FoundationEssentials
import Postgres
import Values

/// Payslips. A worker can read them after leaving the workplace, and after the workplace is deleted.
struct Payslips: Sendable {
    let database: PostgresClient
    let people: People
    let access: Access
    let pay: PayrollProjection
    private let store = PayslipStore()
    private let wages = WageStore()

    /// A payslip of the caller.
    ///
    /// - Throws: `WorkforceError.userNotFound`; `.workplaceNotFound`, `.workerNotFound` for a user who never was a
    ///   worker there; `.forbidden` before the owner accepts the worker; `.wageNotFound`.
    func own(of account: AccountID, at workplace: WorkplaceID, in month: CivilMonth) async throws -> IssuedPayslip {
        _ = try await people.person(account)
        guard let place = try await store.place(of: account, at: workplace, in: month, in: database) else {
            // Throws the error for the missing one of the two.
            _ = try await access.membership(of: account, at: workplace, in: database)
            throw WorkforceError.workerNotFound
        }
        guard place.isAccepted || place.payslip != nil else { throw WorkforceError.forbidden }
        return try await issue(place, month)
    }

    /// A payslip of a worker at the caller's workplace, also of a former worker.
    ///
    /// - Throws: `WorkforceError.workplaceNotFound`; `.forbidden` for another owner's workplace, and in another role;
    ///   `.workerNotFound`, also for a worker of another workplace; `.wageNotFound`.
    func issued(
        to worker: WorkerID,
        at workplace: WorkplaceID,
        in month: CivilMonth,
        by owner: AccountID
    ) async throws -> IssuedPayslip {
        let workplace = try await access.owned(workplace, by: owner, in: database)
        guard let place = try await store.place(of: worker, in: month, in: database), place.workplace == workplace.id
        else { throw WorkforceError.workerNotFound }
        return try await issue(place, month)
    }

    /// The paid months of the caller at all workplaces, newest first.
    func list(of account: AccountID, before cursor: PaidMonth.Cursor?, limit: Int) async throws
        -> (items: [PaidMonth], isLast: Bool)
    {
        _ = try await people.person(account)
        let found = try await store.list(of: account, before: cursor, limit: limit + 1, in: database)
        return (Array(found.prefix(limit)), found.count <= limit)
    }

    /// - Throws: `WorkforceError.wageNotFound`.
    func issue(_ place: PaidPlace, _ month: CivilMonth) async throws -> IssuedPayslip {
        async let shifts = store.shifts(of: place.worker, in: month, in: database)
        guard let text = place.payslip else {
            guard let wage = try await wages.history(of: place.worker, in: database).wage(in: month) else {
                throw WorkforceError.wageNotFound
            }
            return IssuedPayslip(place: place, text: try pay.emptyPayslip(of: month, wage), shifts: try await shifts)
        }
        return IssuedPayslip(place: place, text: text, shifts: try await shifts)
    }
}

/// A payslip with its shifts.
struct IssuedPayslip: Sendable {
    var place: PaidPlace
    /// JSON, as stored.
    var text: String
    var shifts: [PaidShift]
}

/// A current or former worker at a workplace.
struct PaidPlace: Sendable {
    var worker: WorkerID
    var workplace: WorkplaceID
    var workplaceName: String
    var nickname: String
    var isAccepted: Bool
    /// The payslip of the requested month; nil without pay.
    var payslip: String?
}

/// The stored pay of a shift.
struct PaidShift: Sendable, Equatable {
    var id: ShiftID
    var date: CivilDate
    var startsAt: Date
    var endsAt: Date?
    var netMinutes: Int
    var nightMinutes: Int
    var restMinutes: Int
    var hourlyRate: Int
    var gross: Int
    /// The shift's share of the month's net pay.
    var net: Int
}

/// A month in a list of payslips.
struct PaidMonth: Sendable, Equatable {
    var worker: WorkerID
    var month: CivilMonth
    var workplace: WorkplaceID
    var workplaceName: String
    var gross: Int
    var net: Int

    /// The end of a page.
    struct Cursor: Sendable, Equatable {
        var month: CivilMonth
        var worker: WorkerID
    }
}
