import CivilTime
import FoundationEssentials

/// A shift as calendars show it: with who works, where, and how it repeats.
struct CalendarEntry: Sendable, Equatable {
    var id: Int64
    var date: CivilDate
    var startsAt: Date
    var endsAt: Date?
    var restMinutes: Int
    /// Paid minutes.
    var netMinutes: Int
    /// Won; nil on fixed pay.
    var netPay: Int?
    /// By the shifts that are left of the series; nil for a single one.
    var recurrence: Recurrence?
    var worker: Worker
    var workplace: Workplace

    func isOfWorker(_ account: Int64) -> Bool { worker.person.account == account }

    func isOfOwner(_ account: Int64) -> Bool { workplace.creator == account }

    /// Nothing changes any more where the owner, or the worker, has left.
    func isEditable(by account: Int64) -> Bool {
        (isOfWorker(account) || isOfOwner(account)) && !workplace.isAbandoned && !worker.hasParted
    }

    /// What it pays, as it is shown to somebody: colleagues' pay is nobody's business, and some builds of the app read no
    /// null there (MOUP contract 4, shared calendar).
    func pay(shownTo account: Int64) -> Int? {
        isOfWorker(account) || isOfOwner(account) ? netPay : 0
    }
}

/// Who works where.
struct Membership: Sendable, Equatable {
    var worker: Worker
    var workplace: Workplace
}
