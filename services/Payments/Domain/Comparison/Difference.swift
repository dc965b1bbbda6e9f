/// Something about a payment that is one way here and another at PortOne.
struct Difference: Sendable, Equatable {
    enum Kind: String, Sendable {
        /// PortOne has money under a code that no order has.
        case noOrder = "no_order"
        /// PortOne has money that is not known here.
        case unknownHere = "unknown_here"
        /// PortOne does not know it.
        case unknownThere = "unknown_there"
        case order, status, amount, cancelled
        /// PortOne tells of it what no payment can be.
        case unreadable
        /// It is paid, and it is not decided what for.
        case undecided
        /// The ledger says something else than the payment.
        case ledger
        /// It was to go back a while ago.
        case refundOverdue = "refund_overdue"
    }

    var impUID: String
    var kind: Kind
    var ours: String?
    var theirs: String?

    /// What differs between a payment here and PortOne's word for it.
    ///
    /// - Parameter hasOrder: whether there is an order of its code.
    static func all(between ours: Payment?, and theirs: PaymentReport, hasOrder: Bool) -> [Difference] {
        func difference(_ kind: Kind, _ here: String?, _ there: String?) -> Difference? {
            here == there ? nil : Difference(impUID: theirs.impUID, kind: kind, ours: here, theirs: there)
        }
        let money = "\(theirs.paid - theirs.cancelled) \(theirs.money.currency)"
        guard let ours else {
            // Tries without money need not be known.
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
