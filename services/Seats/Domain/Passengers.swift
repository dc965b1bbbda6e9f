import Postgres

/// SeatCatcher's users, as far as seats are concerned.
struct Passengers: Sendable {
    let database: PostgresClient
    let store = PassengerStore()

    /// The credit of a passenger. Somebody of whom nothing has been heard yet has none.
    func credit(of account: Int64) async throws -> Int64 {
        try await store.credit(account: account, in: database) ?? 0
    }
}
