extension OperatorsAPI {
    /// `GET /internal/operators/orders/{id}`: all that is stored about one order; 404 for an unknown one.
    package struct OrderDetails: Codable, Sendable, Equatable {
        package var order: Order
        /// Newest first, up to 50.
        package var payments: [Payment]
        /// Newest first, up to 100.
        package var refunds: [Refund]
        /// Movements of its payments' money, oldest first, up to 400.
        package var ledger: [Entry]
        /// Newest first, up to 200.
        package var audit: [Note]
        /// PortOne's webhooks that named one of the payments, up to 50.
        package var webhooks: [Webhook]

        package init(
            order: Order,
            payments: [Payment],
            refunds: [Refund],
            ledger: [Entry],
            audit: [Note],
            webhooks: [Webhook]
        ) {
            (self.order, self.payments, self.refunds) = (order, payments, refunds)
            (self.ledger, self.audit, self.webhooks) = (ledger, audit, webhooks)
        }

        package static func path(of order: Int64) -> String { "\(Orders.path)/\(order)" }
    }
}

extension OperatorsAPI.OrderDetails {
    /// A payment at PortOne. `paid` is the sum of `cancelled`, `due`, `sold` and what is not allocated yet.
    package struct Payment: Codable, Sendable, Equatable {
        package var impUID: String
        /// `ready`, `paid`, `cancelled` or `failed`.
        package var status: String
        /// ISO 4217.
        package var currency: String
        package var amount: Int64
        package var paid: Int64
        /// Refunded.
        package var cancelled: Int64
        /// To be refunded.
        package var due: Int64
        /// Allocated to the order: the most that can still be refunded.
        package var sold: Int64
        /// Whether it pays for the order, or why not; nil while that is open.
        package var verdict: String?
        package var createdAt: Double
        package var paidAt: Double?
        package var decidedAt: Double?

        package init(
            impUID: String,
            status: String,
            currency: String,
            amount: Int64,
            paid: Int64,
            cancelled: Int64,
            due: Int64,
            sold: Int64,
            verdict: String?,
            createdAt: Double,
            paidAt: Double?,
            decidedAt: Double?
        ) {
            (self.impUID, self.status, self.currency, self.amount) = (impUID, status, currency, amount)
            (self.paid, self.cancelled, self.due, self.sold) = (paid, cancelled, due, sold)
            (self.verdict, self.createdAt) = (verdict, createdAt)
            (self.paidAt, self.decidedAt) = (paidAt, decidedAt)
        }
    }

    /// A refund that PortOne is asked for until it has made it.
    package struct Refund: Codable, Sendable, Equatable {
        package var id: Int64
        package var impUID: String
        /// The payment's order; nil for a payment without one.
        package var order: Int64?
        package var amount: Int64
        /// ISO 4217.
        package var currency: String
        /// As the payer sees it.
        package var reason: String
        package var requestedAt: Double
        package var doneAt: Double?
        /// When PortOne is asked next; nil for one that is done.
        package var dueAt: Double?
        /// How many times PortOne was asked.
        package var attempts: Int
        /// What the last attempt has failed with.
        package var lastError: String?

        package init(
            id: Int64,
            impUID: String,
            order: Int64?,
            amount: Int64,
            currency: String,
            reason: String,
            requestedAt: Double,
            doneAt: Double?,
            dueAt: Double?,
            attempts: Int,
            lastError: String?
        ) {
            (self.id, self.impUID, self.order, self.amount) = (id, impUID, order, amount)
            (self.currency, self.reason) = (currency, reason)
            (self.requestedAt, self.doneAt) = (requestedAt, doneAt)
            (self.dueAt, self.attempts, self.lastError) = (dueAt, attempts, lastError)
        }
    }

    /// An entry of the ledger. Those of one transaction add up to 0.
    package struct Entry: Codable, Sendable, Equatable {
        package var transaction: Int64
        package var impUID: String
        /// `payment`, `sale`, `refund_due` or `cancellation`.
        package var kind: String
        package var currency: String
        package var at: Double
        /// `clearing`, `unallocated`, `sales` or `refunds`.
        package var account: String
        /// Debit above 0, credit below.
        package var amount: Int64

        package init(
            transaction: Int64,
            impUID: String,
            kind: String,
            currency: String,
            at: Double,
            account: String,
            amount: Int64
        ) {
            (self.transaction, self.impUID, self.kind) = (transaction, impUID, kind)
            (self.currency, self.at, self.account, self.amount) = (currency, at, account, amount)
        }
    }

    /// An entry of the audit.
    package struct Note: Codable, Sendable, Equatable {
        package var at: Double
        /// `account/7`, `portone`, `timer` or `operator/NAME`.
        package var actor: String
        package var action: String
        package var impUID: String?
        package var detail: String?

        package init(at: Double, actor: String, action: String, impUID: String?, detail: String?) {
            (self.at, self.actor, self.action) = (at, actor, action)
            (self.impUID, self.detail) = (impUID, detail)
        }
    }

    /// PortOne's webhooks that named one payment.
    package struct Webhook: Codable, Sendable, Equatable {
        package var impUID: String
        /// When the last one came.
        package var receivedAt: Double
        /// How many came.
        package var times: Int
        /// When PortOne is asked about the payment; nil when that is done.
        package var dueAt: Double?

        package init(impUID: String, receivedAt: Double, times: Int, dueAt: Double?) {
            (self.impUID, self.receivedAt, self.times, self.dueAt) = (impUID, receivedAt, times, dueAt)
        }
    }
}
