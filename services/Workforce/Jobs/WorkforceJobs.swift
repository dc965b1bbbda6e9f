import ServiceKit

extension WorkforceDomain {
    /// A job for each kind of reminder, and one for deleted workplaces.
    var jobs: [PeriodicJob] {
        let reminders = Reminders.Kind.allCases.map { kind in
            PeriodicJob("reminders of \(kind.rawValue)") { try await alarms.send(kind) == Reminders.batch }
        }
        return reminders + [PeriodicJob("deleted workplaces") { try await workplaces.closeNext() }]
    }
}
