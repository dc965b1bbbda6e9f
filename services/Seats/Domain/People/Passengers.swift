import Contracts
import Postgres

/// SeatCatcher's users in the seats service.
struct Passengers: Sendable {
    let database: PostgresClient
    let policy: SeatPolicy
    private let store = PassengerStore()

    /// The credit of a passenger; 0 for an unknown one.
    func credit(of account: AccountID) async throws -> Int64 {
        try await store.credit(account: account, in: database) ?? 0
    }

    /// Stores a passenger's profile, and publishes a change to the car with the passenger's seat.
    func save(
        _ account: AccountID,
        nickname: String,
        image: String?,
        tags: [String]?,
        in transaction: PostgresTransaction
    ) async throws {
        var cars = CarTransaction(transaction, policy: policy)
        let (held, _) = try await cars.lock(around: account)
        let isChanged = try await store.save(
            account: account,
            nickname: nickname,
            image: image ?? PassengerStore.firstImage,
            tags: tags ?? [],
            in: transaction
        )
        if let held, isChanged { cars.touch(seat: held.seat, of: held.car) }
        try cars.announce()
    }

    /// Revokes a session: closes its sockets and rejects new ones.
    func revoke(_ session: String, of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await store.revoke(session, in: transaction)
        transaction.announce(.revoked(account: account, session: session))
    }
}
