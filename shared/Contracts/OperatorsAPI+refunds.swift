extension OperatorsAPI {
    /// `GET /internal/operators/refunds`: the refunds that PortOne has not made yet.
    package struct Refunds: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/refunds"

        /// Oldest first, up to 50.
        package var refunds: [OrderDetails.Refund]

        package init(refunds: [OrderDetails.Refund]) { self.refunds = refunds }
    }

    /// `POST /internal/payments/{imp_uid}/refunds`: refunds a payment of an order; also of `stack`. Idempotent with an
    /// `Idempotency-Key`. 400 for more than is left, 409 for a key of another request.
    package struct Refund: Codable, Sendable, Equatable {
        /// In the smallest unit of the payment's currency; nil for the whole rest.
        package var amount: Int64?
        /// Shown to the payer; 1 to 100 characters.
        package var reason: String
        /// The operator's name, for the audit; 1 to 100 characters.
        package var `operator`: String

        package init(amount: Int64?, reason: String, operator name: String) {
            (self.amount, self.reason, self.operator) = (amount, reason, name)
        }

        /// - Parameter impUID: PortOne's id of the payment, which has letters, digits, `_` and `-` only.
        package static func path(of impUID: String) -> String { "/internal/payments/\(impUID)/refunds" }

        /// The payment's money afterwards.
        package struct Answer: Codable, Sendable, Equatable {
            /// Still allocated to the order.
            package var sold: Int64
            /// To be refunded.
            package var due: Int64
            /// Refunded.
            package var cancelled: Int64

            package init(sold: Int64, due: Int64, cancelled: Int64) {
                (self.sold, self.due, self.cancelled) = (sold, due, cancelled)
            }
        }
    }
}
