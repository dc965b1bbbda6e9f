/// What the seats service answers to other services.
package enum SeatsAPI {
    /// `GET /internal/passengers/{account}`: a SeatCatcher user as the seats service knows them. Somebody who has never
    /// used a seat has no credit.
    package struct Passenger: Codable, Sendable, Equatable {
        package var credit: Int64

        package init(credit: Int64) {
            self.credit = credit
        }

        package static func path(_ account: Int64) -> String {
            "/internal/passengers/\(account)"
        }
    }
}
