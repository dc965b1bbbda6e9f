/// A difference between a payment in the database and at PortOne.
struct Difference: Sendable, Equatable {
    enum Kind: String, Sendable {
        /// PortOne has a paid payment with an unknown order code.
        case noOrder = "no_order"
        /// PortOne has a paid payment that is not in the database.
        case unknownHere = "unknown_here"
        /// The payment does not exist at PortOne.
        case unknownThere = "unknown_there"
        case order, status, amount, cancelled
        /// PortOne's response for the payment is invalid.
        case unreadable
        /// The payment is paid, but not assigned to an order.
        case undecided
        /// The ledger and the payment's row disagree.
        case ledger
        /// A refund has been outstanding for too long.
        case refundOverdue = "refund_overdue"
    }

    /// A text, because an unreadable report may have an invalid id.
    var impUID: String
    var kind: Kind
    var ours: String?
    var theirs: String?

    /// The differences between a payment in the database and PortOne's report.
    ///
    /// - Parameter hasOrder: Whether an order with its code exists.
    static func all(between ours: Payment?, and theirs: PaymentReport, hasOrder: Bool) -> [Difference] {
        func difference(_ kind: Kind, _ here: String?, _ there: String?) -> Difference? {
            here == there ? nil : Difference(impUID: theirs.impUID.rawValue, kind: kind, ours: here, theirs: there)
        }
        let money = "\(theirs.paid - theirs.cancelled) \(theirs.money.currency)"
        guard let ours else {
            // Attempts without money need not be in the database.
            guard theirs.paid > theirs.cancelled else { return [] }
            return [difference(hasOrder ? .unknownHere : .noOrder, nil, money)].compactMap(\.self)
        }
        let isOpen = ours.verdict == nil && ours.balance.unallocated > 0
        return [
            difference(.order, ours.merchantUID, theirs.merchantUID),
            difference(.status, ours.status.rawValue, theirs.status.rawValue),
            difference(.amount, ours.money.text, theirs.money.text),
            difference(.cancelled, "\(ours.balance.cancelled)", "\(theirs.cancelled)"),
            isOpen ? difference(hasOrder ? .undecided : .noOrder, nil, money) : nil,
        ].compactMap(\.self)
    }
}

extension Money {
    fileprivate var text: String { "\(amount) \(currency)" }
}
