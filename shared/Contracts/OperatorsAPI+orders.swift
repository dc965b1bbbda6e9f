/// The payments service's API for operators, about orders. Only the console may call it. Amounts are in the smallest unit
/// of their currency, won where no currency is named; times are seconds since 1970.
extension OperatorsAPI {
    /// `GET /internal/operators/orders?find=TEXT` or `?state=STATE&account=ACCOUNT`: the order with an id, a public id, a
    /// code (PortOne's `merchant_uid`) or an `imp_uid`; or the newest orders.
    package struct Orders: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/orders"

        /// Newest first, up to 50. A state is looked for among the newest 2,000 orders only.
        package var orders: [Order]
        /// The payment that was looked for, if it belongs to no order.
        package var payments: [OrderDetails.Payment]

        package init(orders: [Order], payments: [OrderDetails.Payment]) {
            (self.orders, self.payments) = (orders, payments)
        }
    }

    package struct Order: Codable, Sendable, Equatable {
        package var id: Int64
        package var app: App
        /// PortOne's `merchant_uid`.
        package var code: String
        package var account: AccountID
        /// The product, as receipts name it.
        package var name: String
        package var amount: Int64
        /// `open`, `paid`, `expired` or `refunded`.
        package var state: String
        package var createdAt: Double
        /// When its amount was registered with PortOne.
        package var preparedAt: Double?
        /// Until when it can be paid.
        package var heldUntil: Double
        package var paidAt: Double?
        /// When its state changed last.
        package var updatedAt: Double

        package init(
            id: Int64,
            app: App,
            code: String,
            account: AccountID,
            name: String,
            amount: Int64,
            state: String,
            createdAt: Double,
            preparedAt: Double?,
            heldUntil: Double,
            paidAt: Double?,
            updatedAt: Double
        ) {
            (self.id, self.app, self.code, self.account) = (id, app, code, account)
            (self.name, self.amount, self.state) = (name, amount, state)
            (self.createdAt, self.preparedAt, self.heldUntil) = (createdAt, preparedAt, heldUntil)
            (self.paidAt, self.updatedAt) = (paidAt, updatedAt)
        }
    }
}
