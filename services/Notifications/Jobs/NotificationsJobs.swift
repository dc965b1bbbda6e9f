import ServiceKit

extension NotificationsDomain {
    /// Queueing of announcements, and deletion of old device tokens.
    var jobs: [PeriodicJob] {
        [
            PeriodicJob("announcements", signal: broadcasts.waker) { try await broadcasts.pushNext() },
            PeriodicJob("old device tokens", every: .seconds(3600)) {
                try await devices.prune()
                return false
            },
        ]
    }
}
