/// Why something is refused.
enum PaymentsError: Error, Sendable, Equatable {
    case listingNotFound
    /// No order of this code.
    case orderNotFound
    /// Somebody else's order.
    case notYours
    /// Somebody has reserved the listing, or is about to.
    case reserved
    /// The order is paid, so it cannot be given up.
    case orderPaid
    /// What breaks a rule, in a sentence that names the field.
    case rule(String)
    /// PortOne knows no payment of this id.
    case paymentUnknown
    /// Not paid, or not any more.
    case unpaid(PaymentReport.Status)
    /// Paid, and sent back.
    case rejected(Verdict)
    /// It had paid for its order, and was given back since.
    case paymentReturned
    /// The payment belongs to something else than it is shown for.
    case boundElsewhere
    case postNotFound
    /// A checkout page that is too old, or of another order.
    case pageUnknown
    /// The post asks for no money.
    case notForSale
    /// Nothing can be refunded, or not as much.
    case notRefundable(String)
    /// The same key came with another request.
    case keyReused
    /// The same request is still being answered.
    case keyBusy
}
