/// The balances of a ledger in one snapshot.
package struct LedgerSample: Sendable, Hashable {
    package var at: Moment
    /// The ledger, such as "credit", "payments" or "order ABCD123456".
    package var ledger: String
    /// By account of the ledger, in the smallest unit; debit is positive.
    package var balances: [String: Int64]
    /// What other tables of the same snapshot state as balances, such as a passenger's credit.
    package var stated: [String: Int64] = [:]

    package init(at: Moment, ledger: String, balances: [String: Int64], stated: [String: Int64] = [:]) {
        (self.at, self.ledger, self.balances, self.stated) = (at, ledger, balances, stated)
    }
}

/// A number that is shown or stored, with the count of what it stands for in the same snapshot.
package struct CounterPair: Sendable, Hashable {
    /// Such as "likes of post 7", or "unread messages of account 3 in room 9".
    package var subject: String
    /// The phone or the table that has the number.
    package var reader: String
    package var stated: Int64
    package var counted: Int64
    package var at: Moment
    package var trace: String?

    package init(
        _ subject: String,
        reader: String,
        stated: Int64,
        counted: Int64,
        at: Moment,
        trace: String? = nil
    ) {
        (self.subject, self.reader, self.stated, self.counted) = (subject, reader, stated, counted)
        (self.at, self.trace) = (at, trace)
    }
}
