import Contracts

@testable import Seats

/// A row that transactions lock: cars before passengers, each in the order of ids.
enum ExchangeLock: Hashable, Comparable, Sendable {
    case car(Int64)
    case passenger(Int64)

    static func car(_ id: CarID) -> Self { .car(id.rawValue) }
    static func car(of seat: SeatID) -> Self { .car(ExchangeTables.car(of: seat)) }
    static func passenger(_ account: AccountID) -> Self { .passenger(account.rawValue) }
}

/// The transactions that run, with their locks.
struct ExchangeLocks: Sendable {
    private(set) var transactions: [ExchangeTransaction] = []

    subscript(number: Int) -> ExchangeTransaction? {
        get { transactions.first { $0.number == number } }
        set {
            let index = transactions.firstIndex { $0.number == number }
            switch (index, newValue) {
            case (let index?, let new?): transactions[index] = new
            case (let index?, nil): transactions.remove(at: index)
            case (nil, let new?): transactions.append(new)
            case (nil, nil): break
            }
        }
    }

    /// The database rolls back what a copy has not committed.
    mutating func crash(copy: Int) { transactions.removeAll { $0.copy == copy } }

    /// Gives a transaction the locks that it wants, in order, up to the first that another has.
    ///
    /// - Returns: Whether it has all.
    mutating func acquire(_ transaction: inout ExchangeTransaction) -> Bool {
        while let lock = transaction.wanted.first {
            guard holder(of: lock, except: transaction.number) == nil else { return false }
            transaction.held.insert(lock)
            transaction.wanted.removeFirst()
        }
        return true
    }

    private func holder(of lock: ExchangeLock, except number: Int) -> ExchangeTransaction? {
        transactions.first { $0.number != number && $0.held.contains(lock) }
    }

    /// The transactions that wait for each other, beginning with one of them; empty when there is no deadlock.
    func cycle(from number: Int) -> [ExchangeTransaction] {
        var cycle: [ExchangeTransaction] = []
        var next = self[number]
        while let transaction = next, let lock = transaction.wanted.first {
            if transaction.number == number, !cycle.isEmpty { return cycle }
            guard !cycle.contains(where: { $0.number == transaction.number }) else { return [] }
            cycle.append(transaction)
            next = holder(of: lock, except: transaction.number)
        }
        return []
    }
}
