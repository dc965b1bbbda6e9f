import Postgres

/// What is done here when somebody leaves SeatCatcher for good. Doing it again changes nothing.
struct Withdrawal: Sendable {
    let passengers = PassengerStore()
    let records = PassengerRecords()

    func withdraw(_ account: Int64, in transaction: PostgresTransaction) async throws {
        // First of all, since whoever writes something for this person waits for this row, and is then refused.
        try await passengers.withdraw(account, in: transaction)
        try await records.erase(account, in: transaction)
    }
}
