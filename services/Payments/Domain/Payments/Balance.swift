/// The allocation of one payment's money, in the smallest unit of its currency. `paid` is the sum of `cancelled`,
/// `due`, `sold` and `unallocated`.
struct Balance: Sendable, Equatable {
    var paid: Int64 = 0
    var cancelled: Int64 = 0
    /// To be refunded.
    var due: Int64 = 0
    /// Allocated to an order.
    var sold: Int64 = 0

    /// Not allocated yet.
    var unallocated: Int64 { paid - cancelled - due - sold }

    /// Held by PortOne.
    var held: Int64 { paid - cancelled }

    /// Records the paid amount. Once it is known, it does not change: older reports are ignored.
    mutating func see(paid: Int64) {
        if self.paid == 0 { self.paid = max(0, paid) }
    }

    /// Records the total amount cancelled so far. It reduces `due` first; the rest was cancelled outside this service,
    /// and reduces `unallocated` and then `sold`.
    mutating func see(cancelled: Int64) {
        var gone = min(max(cancelled, self.cancelled), paid) - self.cancelled
        self.cancelled += gone
        let paidBack = min(due, gone)
        due -= paidBack
        gone -= paidBack
        // `unallocated` is a difference and has already absorbed its part.
        sold -= max(0, -unallocated)
    }

    /// Allocates the unallocated amount to the order.
    mutating func sell() {
        sold += unallocated
    }

    /// Marks an amount for refund, from `unallocated` first and then from `sold`.
    ///
    /// - Returns: The amount marked, limited to what is available.
    @discardableResult
    mutating func owe(_ amount: Int64) -> Int64 {
        let owed = min(amount, unallocated + sold)
        due += owed
        sold -= max(0, -unallocated)
        return owed
    }

    /// The ledger entries from an earlier balance to this one, by account; debit is positive. Their sum is zero.
    func entries(since old: Balance) -> [(account: LedgerAccount, amount: Int64)] {
        let changes: [(LedgerAccount, Int64)] = [
            (.clearing, held - old.held),
            (.unallocated, old.unallocated - unallocated),
            (.sales, old.sold - sold),
            (.refunds, old.due - due),
        ]
        return changes.filter { $0.1 != 0 }.map { (account: $0.0, amount: $0.1) }
    }
}

/// The accounts of the ledger.
enum LedgerAccount: String, Sendable, CaseIterable {
    /// Held by PortOne.
    case clearing
    /// Paid, and not allocated.
    case unallocated
    case sales
    /// To be refunded.
    case refunds
}

/// The reason for a ledger transaction.
enum LedgerKind: String, Sendable {
    /// Money was paid.
    case payment
    /// Money was allocated to an order.
    case sale
    /// Money is to be refunded.
    case refundDue = "refund_due"
    /// PortOne has refunded money.
    case cancellation
}
