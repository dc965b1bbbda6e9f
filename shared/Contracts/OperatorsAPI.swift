/// The auth service's API for operators, about people. Only the console may call it.
package enum OperatorsAPI {
    package static let path = "/internal/operators/people"

    /// `GET /internal/operators/people?q=TEXT`: the accounts with an id, a public id, an e-mail address, a verified phone
    /// number or a session.
    package struct People: Codable, Sendable, Equatable {
        package var people: [Person]

        package init(people: [Person]) { self.people = people }
    }

    package struct Person: Codable, Sendable, Equatable {
        package var account: AccountID
        package var app: App
        package var publicID: PublicID
        package var nickname: String
        /// Without most of what is before the `@`.
        package var email: String?
        /// The last four digits.
        package var phone: String?
        /// Seconds since 1970.
        package var createdAt: Double
        /// Whether the account withdraws.
        package var isLeaving: Bool
        /// Open sessions, most recently used first.
        package var sessions: [Session]
        /// Those that the account's own sign-ins count for.
        package var limits: [Limit]

        package init(
            account: AccountID,
            app: App,
            publicID: PublicID,
            nickname: String,
            email: String?,
            phone: String?,
            createdAt: Double,
            isLeaving: Bool,
            sessions: [Session],
            limits: [Limit] = []
        ) {
            (self.account, self.app, self.publicID, self.nickname) = (account, app, publicID, nickname)
            (self.email, self.phone, self.createdAt) = (email, phone, createdAt)
            (self.isLeaving, self.sessions, self.limits) = (isLeaving, sessions, limits)
        }
    }

    package struct Session: Codable, Sendable, Equatable {
        package var id: String
        package var name: String?
        /// The device's `User-Agent`.
        package var device: String?
        /// Seconds since 1970.
        package var createdAt: Double
        package var seenAt: Double

        package init(id: String, name: String?, device: String?, createdAt: Double, seenAt: Double) {
            (self.id, self.name, self.device) = (id, name, device)
            (self.createdAt, self.seenAt) = (createdAt, seenAt)
        }
    }

    /// `POST /internal/operators/sessions/end`: ends a session; 404 if the account has no such session.
    package struct End: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/sessions/end"

        package var account: AccountID
        package var app: App
        package var session: String
        /// The operator's name, for the audit log.
        package var by: String

        package init(account: AccountID, app: App, session: String, by operatorName: String) {
            (self.account, self.app, self.session, by) = (account, app, session, operatorName)
        }
    }
}
