import Synchronization

/// Every payment that PortOne knows.
final class PortOnePayments: Sendable {
    private struct State {
        var payments: [String: PortOnePayment] = [:]
        /// By `imp_uid`, oldest first.
        var all: [String] = []
        var ofMerchant: [String: [String]] = [:]
    }

    private let state = Mutex(State())

    /// A payment begins.
    ///
    /// - Parameter make: makes it of its new `imp_uid`.
    func add(_ make: @Sendable (_ impUid: String) -> PortOnePayment) -> PortOnePayment {
        state.withLock { state in
            var id: String
            repeat {
                id = "imp_\(Int.random(in: 100_000_000_000...999_999_999_999))"
            } while state.payments[id] != nil
            let payment = make(id)
            state.payments[id] = payment
            state.all.append(id)
            state.ofMerchant[payment.merchantUid, default: []].append(id)
            return payment
        }
    }

    /// - Throws: `PortOneError` for an `imp_uid` that nobody has.
    func payment(_ impUid: String) throws(PortOneError) -> PortOnePayment {
        guard let payment = state.withLock({ $0.payments[impUid] }) else { throw .unknownPayment }
        return payment
    }

    /// The payments of an order, or of all orders, oldest first.
    ///
    /// - Parameter status: nil for all.
    func payments(of merchantUid: String? = nil, status: PortOnePayment.Status? = nil) -> [PortOnePayment] {
        state.withLock { state in
            let ids = merchantUid.map { state.ofMerchant[$0] ?? [] } ?? state.all
            let payments = ids.compactMap { state.payments[$0] }
            return status.map { status in payments.filter { $0.status == status } } ?? payments
        }
    }

    /// Changes a payment, or leaves it as it was when `change` throws.
    ///
    /// - Throws: `PortOneError` for an `imp_uid` that nobody has; what `change` throws.
    func change(
        _ impUid: String,
        _ change: @Sendable (inout PortOnePayment) throws -> Void
    ) throws -> PortOnePayment {
        try state.withLock { state in
            guard var payment = state.payments[impUid] else { throw PortOneError.unknownPayment }
            try change(&payment)
            state.payments[impUid] = payment
            return payment
        }
    }
}

/// Amounts that a shop has registered before its orders were paid.
final class PortOnePrepared: Sendable {
    private let amounts = Mutex<[String: PortOneAmount]>([:])

    func amount(of merchantUid: String) -> PortOneAmount? {
        amounts.withLock { $0[merchantUid] }
    }

    /// - Returns: false when the order has an amount already, which stays.
    func register(_ amount: PortOneAmount, for merchantUid: String) -> Bool {
        amounts.withLock { amounts in
            guard amounts[merchantUid] == nil else { return false }
            amounts[merchantUid] = amount
            return true
        }
    }

    /// - Returns: false when the order has no amount yet.
    func change(_ merchantUid: String, to amount: PortOneAmount) -> Bool {
        amounts.withLock { amounts in
            guard amounts[merchantUid] != nil else { return false }
            amounts[merchantUid] = amount
            return true
        }
    }
}
