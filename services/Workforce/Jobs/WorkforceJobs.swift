import ServiceDatabase
import ServiceKit

extension WorkforceDomain {
    /// A job for each kind of reminder, one for deleted workplaces, and one for old responses.
    var jobs: [PeriodicJob] {
        let reminders = Reminders.Kind.allCases.map { kind in
            PeriodicJob("reminders of \(kind.rawValue)") { try await alarms.send(kind) == Reminders.batch }
        }
        return reminders + [
            PeriodicJob("deleted workplaces") { try await workplaces.closeNext() },
            PeriodicJob("old responses", every: .seconds(60)) {
                try await requests.prune()
                return false
            },
        ]
    }
}
