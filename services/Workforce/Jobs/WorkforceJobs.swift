import ServiceDatabase
import ServiceKit

extension WorkforceDomain {
    /// A job for each kind of reminder, one for deleted workplaces, and those that delete old rows.
    var jobs: [PeriodicJob] {
        let reminders = Reminders.Kind.allCases.map { kind in
            PeriodicJob("reminders of \(kind.rawValue)") { try await alarms.send(kind) == Reminders.batch }
        }
        return reminders + [
            PeriodicJob("deleted workplaces") { try await workplaces.closeNext() },
            PeriodicJob("old responses and codes", every: .seconds(60)) {
                try await requests.prune()
                try await retention.deleteExpired()
                return false
            },
            PeriodicJob("old records", every: .seconds(86_400)) {
                try await retention.deleteOld()
                return false
            },
        ]
    }
}
