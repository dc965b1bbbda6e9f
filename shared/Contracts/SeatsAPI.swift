/// The seats service's API for other processes.
package enum SeatsAPI {
    /// `GET /internal/passengers/{account}`: a SeatCatcher user's data in the seats service. The credit is 0 for a user
    /// who has never used a seat.
    package struct Passenger: Codable, Sendable, Equatable {
        package var credit: Int64

        package init(credit: Int64) {
            self.credit = credit
        }

        package static func path(_ account: AccountID) -> String {
            "/internal/passengers/\(account)"
        }
    }
}
