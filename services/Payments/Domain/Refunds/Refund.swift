/// A refund to be requested from PortOne.
struct Refund: Sendable, Equatable {
    var id: RefundID
    var impUID: ImpUID
    /// In the smallest unit of the payment's currency.
    var amount: Int64
    var reason: String
    /// Number of requests to PortOne, including the current one.
    var attempts: Int

    /// The amount to request; nil when nothing is left: an attempt whose response was lost, or PortOne's console, may have
    /// refunded it.
    ///
    /// - Parameter due: The amount of the payment still to be refunded.
    func amount(of due: Int64) -> Int64? {
        let rest = min(amount, due)
        return rest > 0 ? rest : nil
    }

    /// The pause after a failed attempt, in seconds: 0.5, 1, 2, … up to 5 minutes.
    var pause: Double { min(300, Double(1 << min(attempts, 12)) / 4) }
}
