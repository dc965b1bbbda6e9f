import Postgres

/// What is done here when somebody leaves SeatCatcher for good. Doing it again changes nothing.
struct Withdrawal: Sendable {
    let journeys: Journeys
    let policy: SeatPolicy

    private let passengers = PassengerStore()
    private let records = PassengerRecords()
    private let ledger = LedgerStore()

    init(journeys: Journeys, policy: SeatPolicy) {
        self.journeys = journeys
        self.policy = policy
    }

    /// The journey ends, the seat is free, wishes are taken back with what was offered for them, the rest of the credit
    /// goes to the house, what was kept is deleted, and sockets are closed.
    func withdraw(_ account: Int64, in transaction: PostgresTransaction) async throws {
        var cars = CarTransaction(transaction, policy: policy)
        let (held, wishes) = try await cars.lock(around: account)
        try await journeys.endActive(of: account, .replaced, &cars)
        if let held { try await cars.vacate(held) }
        for wish in wishes { try await cars.decide(wish, .cancelled) }
        let credit = try await passengers.credit(account: account, in: transaction) ?? 0
        try await ledger.move(.forfeit, credit, passenger: account, in: transaction)
        // Whoever writes something for this person waits for this row, and is then refused.
        try await passengers.withdraw(account, in: transaction)
        try await journeys.forget(account, in: transaction)
        try await records.erase(account, in: transaction)
        try await LiveStore().notify(.revoked(account: account, session: nil), in: transaction)
        try await cars.announce()
    }
}
