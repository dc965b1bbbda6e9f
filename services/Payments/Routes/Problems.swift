import Apps
import ServiceKit

extension PaymentsError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .listingNotFound: Problem(.notFound, message: "There is no such estate.")
        case .orderNotFound: Problem(.notFound, message: "There is no such order.")
        case .notYours: Problem(.notOwner, message: "This order belongs to another user.")
        case .reserved: Problem(.conflict, message: "This estate is reserved.")
        case .orderPaid: Problem(.conflict, message: "This order is paid.")
        case .rule(let what): Problem(.malformed, message: what)
        case .paymentUnknown: Problem(.malformed, message: "imp_uid must be the id of a payment.")
        case .unpaid(let status): Problem(.malformed, message: "The payment is not paid: it is \(status.rawValue).")
        case .rejected(let verdict): Problem(verdict.isConflict ? .conflict : .malformed, message: verdict.sentence)
        case .paymentReturned: Problem(.malformed, message: "The payment was given back.")
        case .boundElsewhere: Problem(.conflict, message: "The payment was made for something else.")
        case .pageUnknown: Problem(.unauthenticated, message: "This page is too old; open it again.")
        case .postNotFound: Problem(.notFound, message: "There is no such post.")
        case .notForSale: Problem(.malformed, message: "post_id must be of a post that has a price.")
        case .notRefundable(let what): Problem(.malformed, message: what)
        case .keyReused: Problem(.conflict, message: "The Idempotency-Key was used for another request.")
        // draft-ietf-httpapi-idempotency-key-header section 2.7 proposes 409, but the apps take a conflict for a
        // confirmed payment or a reserved listing, which is not decided yet.
        case .keyBusy:
            Problem(.unavailable, message: "The same request is still being answered; try again.", retryAfter: 2)
        }
    }
}
