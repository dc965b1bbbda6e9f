/// Errors of payment operations.
enum PaymentsError: Error, Sendable, Equatable {
    case listingNotFound
    /// No order has this code.
    case orderNotFound
    /// The order belongs to another user.
    case notYours
    /// Another order holds the listing.
    case reserved
    /// The order is paid and cannot be given up.
    case orderPaid
    /// A validation error: a sentence that names the field.
    case rule(String)
    /// PortOne has no payment with this ID.
    case paymentUnknown
    /// Not paid, or no longer.
    case unpaid(PaymentReport.Status)
    /// Paid, but not accepted; the money is refunded.
    case rejected(PaymentVerification)
    /// The payment had paid for its order and was refunded later.
    case paymentReturned
    /// The payment belongs to something else.
    case boundElsewhere
    case postNotFound
    /// The checkout page has expired, or belongs to another order.
    case pageUnknown
    /// The post has no price.
    case notForSale
    /// Nothing is left to refund, or not this much.
    case notRefundable(String)
    /// The idempotency key was used for another request.
    case keyReused
    /// The first request with this key is still being processed.
    case keyBusy
}
