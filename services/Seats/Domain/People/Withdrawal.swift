import Contracts
import Postgres
import ServiceDatabase

/// Erases a withdrawn account. The operation is idempotent.
struct Withdrawal: Sendable {
    let journeys: Journeys
    let policy: SeatPolicy

    private let passengers = PassengerStore()
    private let records = PassengerRecords()
    private let ledger = LedgerStore()

    /// Ends the journey, frees the seat, cancels yield requests with a refund, transfers the remaining credit to the
    /// house account, deletes the passenger's data, and closes the sockets.
    func withdraw(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        var cars = CarTransaction(transaction, policy: policy)
        let (held, pending) = try await cars.lock(around: account)
        try await journeys.endActive(of: account, .replaced, &cars)
        if let held { try await cars.vacate(held) }
        for request in pending { try await cars.decide(request, .cancelled) }
        let credit = try await passengers.credit(account: account, in: transaction) ?? 0
        try await ledger.move(.forfeit, credit, passenger: account, in: transaction)
        // Concurrent writes for this passenger wait for this row, and are then rejected.
        try await passengers.withdraw(account, in: transaction)
        try await journeys.forget(account, in: transaction)
        try await records.erase(account, in: transaction)
        try await IdempotencyKeys.deleteAll(of: account, in: transaction)
        transaction.announce(.revoked(account: account, session: nil))
        try cars.announce()
    }
}
