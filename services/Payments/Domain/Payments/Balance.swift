/// Where the money of one payment is, in the smallest unit of its currency. What came in is the sum of what went back, what is
/// to go back, what has paid for an order, and what nobody has decided on.
struct Balance: Sendable, Equatable {
    var paid: Int64 = 0
    var cancelled: Int64 = 0
    /// To go back, as soon as PortOne does it.
    var due: Int64 = 0
    /// Has paid for an order.
    var sold: Int64 = 0

    /// What nobody has decided on.
    var unallocated: Int64 { paid - cancelled - due - sold }

    /// What PortOne still holds for us.
    var held: Int64 { paid - cancelled }

    /// What PortOne can say of an amount that it has told once: nothing. An older report changes nothing, either, since money
    /// neither un-comes nor un-goes.
    mutating func see(paid: Int64) {
        if self.paid == 0 { self.paid = max(0, paid) }
    }

    /// So much has gone back in all. That pays what was to go back first; what goes beyond was cancelled by others, and is
    /// taken from where it is.
    mutating func see(cancelled: Int64) {
        var gone = min(max(cancelled, self.cancelled), paid) - self.cancelled
        self.cancelled += gone
        let paidBack = min(due, gone)
        due -= paidBack
        gone -= paidBack
        // The rest comes off what nobody has decided on, by that being the difference.
        sold -= max(0, -unallocated)
    }

    /// Whatever nobody has decided on pays for an order.
    mutating func sell() {
        sold += unallocated
    }

    /// So much is to go back: of what nobody has decided on, and then of what has paid for the order.
    ///
    /// - Returns: how much it is, which is no more than there is.
    @discardableResult
    mutating func owe(_ amount: Int64) -> Int64 {
        let owed = min(amount, unallocated + sold)
        due += owed
        sold -= max(0, -unallocated)
        return owed
    }

    /// The entries of the ledger that lead from an earlier balance to this one, by account; debit above zero. Their sum is zero.
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
    /// What PortOne holds for us.
    case clearing
    /// Paid, and not decided on.
    case unallocated
    case sales
    /// To be paid back.
    case refunds
}

/// Why money moves in the ledger.
enum LedgerKind: String, Sendable {
    /// It came in.
    case payment
    /// It paid for an order.
    case sale
    /// It is to go back.
    case refundDue = "refund_due"
    /// PortOne has given it back.
    case cancellation
}
