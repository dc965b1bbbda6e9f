import ServiceKit

extension NotificationsDomain {
    /// Queueing of announcements, and deletion of old rows.
    var jobs: [PeriodicJob] {
        [
            PeriodicJob("announcements", signal: broadcasts.waker) { try await broadcasts.pushNext() },
            PeriodicJob("old rows", every: .seconds(3600)) {
                try await retention.prune()
                return false
            },
        ]
    }
}
