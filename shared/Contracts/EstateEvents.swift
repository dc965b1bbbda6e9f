/// The events of the estate service.
package enum EstateEvents {
    /// The service has erased the data of a withdrawn account (`AuthEvents.AccountWithdrawn`). Published for each
    /// withdrawal event received, even if there was no data.
    package struct AccountErased: Event, Equatable {
        package static let name = "estate.account-erased"

        package var account: AccountID

        package var key: String { String(account) }

        package init(account: AccountID) {
            self.account = account
        }
    }
}
