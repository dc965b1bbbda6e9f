import Contracts
import FoundationEssentials
import Postgres

@testable import Payments

/// The service's orders and payments, and PortOne's, after everything has settled.
struct RoundsBooks: Sendable {
    struct Order: Sendable {
        var id: Int64
        var code: String
        var app: String
        var account: AccountID
        var subject: String
        var state: String
        var isPrepared: Bool
    }

    struct Payment: Sendable {
        var impUID: String
        var order: Int64?
        var verdict: String?
        var cancelled: Int64
        var due: Int64
        var sold: Int64
        /// The sum of the refunds.
        var refunds: Int64
        /// The number of confirmations in the audit.
        var confirmations: Int64
    }

    var orders: [String: Order]
    var payments: [String: Payment]
    var reports: [PaymentReport]

    init(_ database: PostgresClient, portOneURL: String) async throws {
        let orders = try await database.all(
            "SELECT id, code, app, account_id, subject, state, prepared_at IS NOT NULL FROM orders"
        ) { row in
            try row.decode { columns in
                Order(
                    id: try columns.next(),
                    code: try columns.next(),
                    app: try columns.next(),
                    account: try columns.next(),
                    subject: try columns.next(),
                    state: try columns.next(),
                    isPrepared: try columns.next()
                )
            }
        }
        let payments = try await database.all(
            """
            SELECT p.imp_uid, p.order_id, p.verdict, p.cancelled, p.due, p.sold,
                coalesce((SELECT sum(amount)::bigint FROM refunds r WHERE r.imp_uid = p.imp_uid), 0),
                (SELECT count(*) FROM audit a
                    WHERE a.imp_uid = p.imp_uid AND a.action = 'decided' AND a.detail = 'confirmed')
            FROM payments p
            """
        ) { row in
            try row.decode { columns in
                Payment(
                    impUID: try columns.next(),
                    order: try columns.next(),
                    verdict: try columns.next(),
                    cancelled: try columns.next(),
                    due: try columns.next(),
                    sold: try columns.next(),
                    refunds: try columns.next(),
                    confirmations: try columns.next()
                )
            }
        }
        self.orders = Dictionary(uniqueKeysWithValues: orders.map { ($0.code, $0) })
        self.payments = Dictionary(uniqueKeysWithValues: payments.map { ($0.impUID, $0) })
        reports = try await Self.reports(portOneURL)
    }

    private static func reports(_ url: String) async throws -> [PaymentReport] {
        let portOne = PortOneClient(
            url: url,
            key: PaymentsConfiguration.developmentKey,
            secret: PaymentsConfiguration.developmentSecret,
            now: { .now }
        )
        var reports: [PaymentReport] = []
        for number in 1... {
            let page = try await portOne.payments(from: .now - 86_400, to: .now + 60, page: number, limit: 200)
            reports += page.reports
            if page.isLast { break }
        }
        return reports
    }

    /// A description of the pending work; nil if there is none.
    static func unfinished(_ database: PostgresClient) async throws -> String? {
        let counts = try await database.one(
            """
            SELECT (SELECT count(*) FROM orders WHERE state = 'open'),
                (SELECT count(*) FROM notices WHERE due_at IS NOT NULL),
                (SELECT count(*) FROM refunds WHERE done_at IS NULL),
                (SELECT count(*) FROM payments WHERE verdict IS NULL AND paid > cancelled
                    AND (order_id IS NOT NULL OR merchant_uid ~ \(Purchases.shape))),
                (SELECT count(*) FROM outbox_deliveries)
            """
        ) { try $0.decode(as: (Int, Int, Int, Int, Int).self) }
        guard counts != (0, 0, 0, 0, 0) else { return nil }
        return "\(counts.0) orders, \(counts.1) webhooks, \(counts.2) refunds, \(counts.3) payments, "
            + "\(counts.4) deliveries"
    }
}
