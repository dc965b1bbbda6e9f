extension OperatorsAPI {
    /// `POST /internal/operators/people/restore`: takes back a withdrawal in its grace period, and refills the limits of an
    /// account's sign-ins; 404 if there is no such account, or it has been erased.
    package struct Restore: Codable, Sendable, Equatable {
        package static let path = "\(OperatorsAPI.path)/restore"

        package var account: AccountID
        package var app: App
        /// The operator's name, for the audit log.
        package var by: String

        package init(account: AccountID, app: App, by operatorName: String) {
            (self.account, self.app, by) = (account, app, operatorName)
        }

        package struct Answer: Codable, Sendable, Equatable {
            /// Whether a withdrawal was taken back.
            package var stays: Bool

            package init(stays: Bool) { self.stays = stays }
        }
    }

    /// How much of a limit is left.
    package struct Limit: Codable, Sendable, Equatable {
        /// Its setting, as `LIMIT_SIGN_IN_ACCOUNT`.
        package var name: String
        package var left: Int
        package var of: Int

        package init(name: String, left: Int, of limit: Int) {
            (self.name, self.left, of) = (name, left, limit)
        }
    }
}
