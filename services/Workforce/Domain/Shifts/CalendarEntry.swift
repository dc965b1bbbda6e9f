import Contracts
import FoundationEssentials
import Values

/// A shift in a calendar, with its worker, workplace and recurrence.
struct CalendarEntry: Sendable, Equatable {
    var id: ShiftID
    var date: CivilDate
    var startsAt: Date
    var endsAt: Date?
    var restMinutes: Int
    /// Paid minutes.
    var netMinutes: Int
    /// Won; nil for fixed pay.
    var netPay: Int
    /// Derived from the remaining shifts of the series; nil for a single shift.
    var recurrence: Recurrence?
    var worker: Worker
    var workplace: Workplace

    func isOfWorker(_ account: AccountID) -> Bool { worker.person.account == account }

    func isOfOwner(_ account: AccountID) -> Bool { workplace.creator == account }

    /// Shifts are read-only once the owner's account is withdrawn or the worker has left.
    func isEditable(by account: AccountID) -> Bool {
        (isOfWorker(account) || isOfOwner(account)) && !workplace.isAbandoned && !worker.hasParted
    }

    /// The pay as shown to a user: the pay of colleagues is hidden as 0, since some versions of the app cannot decode
    /// null there (MOUP contract 4, shared calendar).
    func pay(shownTo account: AccountID) -> Int {
        isOfWorker(account) || isOfOwner(account) ? netPay : 0
    }
}

/// A worker with the workplace.
struct Membership: Sendable, Equatable {
    var worker: Worker
    var workplace: Workplace
}
