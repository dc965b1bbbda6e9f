import ServiceKit

extension WorkforceDomain {
    /// A job for each kind of reminder.
    var jobs: [PeriodicJob] {
        Reminders.Kind.allCases.map { kind in
            PeriodicJob("reminders of \(kind.rawValue)") { try await alarms.send(kind) == Reminders.batch }
        }
    }
}
