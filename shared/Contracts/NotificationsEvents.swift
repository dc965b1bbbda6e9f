/// What the notifications service announces.
package enum NotificationsEvents {
    /// The service has let go of whatever was an account's, after its owner left (`AuthEvents.AccountWithdrawn`). Said
    /// each time that it is told, also when there was nothing.
    package struct AccountErased: Event, Equatable {
        package static let name = "notifications.account-erased"

        package var account: Int64

        package var key: String { String(account) }

        package init(account: Int64) {
            self.account = account
        }
    }
}
