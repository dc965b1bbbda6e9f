import CivilTime
import FoundationEssentials
import Postgres

/// What people were paid. A worker's own payslips stay theirs to read after they have left, and after the workplace is gone.
struct Payslips: Sendable {
    let database: PostgresClient
    let people: People
    let access: Access
    let pay: PayBook
    private let store = PayslipStore()
    private let wages = WageStore()

    init(database: PostgresClient, people: People, access: Access, pay: PayBook) {
        self.database = database
        self.people = people
        self.access = access
        self.pay = pay
    }

    /// Somebody's own payslip.
    ///
    /// - Throws: `WorkforceError.userNotFound`; `.workplaceNotFound`, `.workerNotFound` for who was never there;
    ///   `.forbidden` while the owner has not decided; `.wageNotFound`.
    func own(of account: Int64, at workplace: Int64, in month: CivilMonth) async throws -> IssuedPayslip {
        _ = try await people.person(account)
        guard let place = try await store.place(of: account, at: workplace, in: month, in: database) else {
            // Says which of the two is missing.
            _ = try await access.membership(of: account, at: workplace, in: database)
            throw WorkforceError.workerNotFound
        }
        guard place.isAccepted || place.payslip != nil else { throw WorkforceError.forbidden }
        return try await issue(place, month)
    }

    /// The payslip of somebody at the owner's workplace, also of who has left it.
    ///
    /// - Throws: `WorkforceError.workplaceNotFound`; `.forbidden` for another's workplace, and in another role;
    ///   `.workerNotFound`, also for a worker of another workplace; `.wageNotFound`.
    func issued(
        to worker: Int64,
        at workplace: Int64,
        in month: CivilMonth,
        by owner: Int64
    ) async throws -> IssuedPayslip {
        let workplace = try await access.owned(workplace, by: owner, in: database)
        guard let place = try await store.place(of: worker, in: month, in: database), place.workplace == workplace.id
        else { throw WorkforceError.workerNotFound }
        return try await issue(place, month)
    }

    /// Somebody's months everywhere, newest first.
    func list(of account: Int64, before cursor: PaidMonth.Cursor?, limit: Int) async throws
        -> (items: [PaidMonth], isLast: Bool)
    {
        _ = try await people.person(account)
        let found = try await store.list(of: account, before: cursor, limit: limit + 1, in: database)
        return (Array(found.prefix(limit)), found.count <= limit)
    }

    private func issue(_ place: PaidPlace, _ month: CivilMonth) async throws -> IssuedPayslip {
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

/// A payslip as it is given to somebody.
struct IssuedPayslip: Sendable {
    var place: PaidPlace
    /// JSON, as it was written down.
    var text: String
    var shifts: [PaidShift]
}

/// Somebody at a workplace, present or past.
struct PaidPlace: Sendable {
    var worker: Int64
    var workplace: Int64
    var workplaceName: String
    var nickname: String
    var isAccepted: Bool
    /// Of the month that was asked for; nil when there was nothing to pay.
    var payslip: String?
}

/// What a shift earns, as kept.
struct PaidShift: Sendable, Equatable {
    var id: Int64
    var date: CivilDate
    var startsAt: Date
    var endsAt: Date?
    var netMinutes: Int
    var nightMinutes: Int
    var restMinutes: Int
    var hourlyRate: Int
    var gross: Int
    /// nil on fixed pay.
    var net: Int?
}

/// A month in the list of somebody's payslips.
struct PaidMonth: Sendable, Equatable {
    var worker: Int64
    var month: CivilMonth
    var workplace: Int64
    var workplaceName: String
    var gross: Int
    var net: Int

    /// Where a page ends.
    struct Cursor: Sendable, Equatable {
        var month: CivilMonth
        var worker: Int64
    }
}
