import Contracts
import FoundationEssentials
import Payroll
import Postgres
import Values

/// What operators see of memberships and their pay.
struct PayLookup: Sendable {
    let database: PostgresClient
    let payslips: Payslips
    private let store = OperatorStore()
    private let places = PayslipStore()
    private let calendar = CalendarStore()

    private static let memberships = 50
    private static let shifts = 200

    init(database: PostgresClient, payslips: Payslips) {
        self.database = database
        self.payslips = payslips
    }

    /// The memberships of an account, also former ones.
    func memberships(of account: AccountID) async throws -> OperatorsAPI.Memberships {
        OperatorsAPI.Memberships(
            memberships: try await store.memberships(of: account, limit: Self.memberships, in: database)
        )
    }

    /// A month of a membership: the stored payslip, and the shifts.
    ///
    /// - Throws: `WorkforceError.workerNotFound`.
    func payslip(of account: AccountID, at workplace: WorkplaceID, in month: CivilMonth) async throws
        -> OperatorsAPI.Payslip
    {
        guard let place = try await places.place(of: account, at: workplace, in: month, in: database) else {
            throw WorkforceError.workerNotFound
        }
        let window = ShiftWindow(month.first...month.last, size: Self.shifts - 1)
        let shifts = try await calendar.attendance(of: place.worker, in: window, from: database)
        return OperatorsAPI.Payslip(
            worker: place.worker,
            workplace: place.workplace,
            workplaceName: place.workplaceName,
            nickname: place.nickname,
            month: month.description,
            pay: try await pay(at: place, in: month),
            shifts: shifts.reversed().map(OperatorsAPI.Payslip.Shift.init)
        )
    }

    /// nil without wage terms.
    private func pay(at place: PaidPlace, in month: CivilMonth) async throws -> OperatorsAPI.Payslip.Pay? {
        do {
            let issued = try await payslips.issue(place, month)
            return .init(try JSONDecoder().decode(Payslip.self, from: Data(issued.text.utf8)))
        } catch WorkforceError.wageNotFound {
            return nil
        }
    }
}

extension OperatorsAPI.Payslip.Shift {
    fileprivate init(_ shift: ShiftRecord) {
        self.init(
            day: shift.date.description,
            startsAt: shift.startsAt.timeIntervalSince1970,
            endsAt: shift.endsAt?.timeIntervalSince1970,
            breakMinutes: shift.restMinutes,
            clockedInAt: shift.startedAt?.timeIntervalSince1970,
            clockedOutAt: shift.endedAt?.timeIntervalSince1970
        )
    }
}
