import Synchronization

/// All payments known to PortOne.
final class PortOnePayments: Sendable {
    private struct State {
        var payments: [String: PortOnePayment] = [:]
        /// By `imp_uid`, oldest first.
        var all: [String] = []
        var ofMerchant: [String: [String]] = [:]
    }

    private let state = Mutex(State())

    /// Adds a payment with a new `imp_uid`, changed by `change`, and returns it.
    func add(
        _ payment: PortOnePayment,
        _ change: @Sendable (inout PortOnePayment) -> Void = { _ in }
    ) -> PortOnePayment {
        state.withLock { state in
            var payment = payment
            repeat {
                payment.impUid = "imp_\(Int.random(in: 100_000_000_000...999_999_999_999))"
            } while state.payments[payment.impUid] != nil
            change(&payment)
            state.payments[payment.impUid] = payment
            state.all.append(payment.impUid)
            state.ofMerchant[payment.merchantUid, default: []].append(payment.impUid)
            return payment
        }
    }

    /// - Throws: `PortOneError` for an unknown `imp_uid`.
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

    /// Changes a payment, or leaves it unchanged if `change` throws.
    ///
    /// - Throws: `PortOneError` for an unknown `imp_uid`; the errors of `change`.
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

/// The amounts that a merchant has registered before payment.
final class PortOnePrepared: Sendable {
    private let amounts = Mutex<[String: PortOneAmount]>([:])

    func amount(of merchantUid: String) -> PortOneAmount? {
        amounts.withLock { $0[merchantUid] }
    }

    /// - Returns: False if the order has an amount already, which is kept.
    func register(_ amount: PortOneAmount, for merchantUid: String) -> Bool {
        amounts.withLock { amounts in
            guard amounts[merchantUid] == nil else { return false }
            amounts[merchantUid] = amount
            return true
        }
    }

    /// - Returns: False if the order has no amount yet.
    func change(_ merchantUid: String, to amount: PortOneAmount) -> Bool {
        amounts.withLock { amounts in
            guard amounts[merchantUid] != nil else { return false }
            amounts[merchantUid] = amount
            return true
        }
    }
}
