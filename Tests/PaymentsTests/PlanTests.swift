import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing
import Values

@testable import Payments

/// PostgreSQL's plans for frequent queries on filled tables.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PlanTests {
    @Test func frequentQueries_useIndexes() async throws {
        try await Past.fill()
        let plans = Plans()
        let (orders, payments, pages) = (OrderStore(), PaymentStore(), CheckoutStore())
        _ = try await orders.order(code: "C7", in: plans)
        _ = try await orders.reservation(of: "s7", in: plans)
        _ = try await orders.open(by: 7, for: "s7", in: plans)
        _ = try await orders.hasPaid(7, for: "s7", in: plans)
        _ = try await orders.paid(by: 7, after: nil, limit: 50, in: plans)
        _ = try await orders.purchases(of: 7, limit: 1000, in: plans)
        _ = try await payments.payment("imp_7", in: plans)
        _ = try await payments.payment(of: 7, in: plans)
        _ = try await payments.unclaimed(paidBefore: .now - 1800, shape: Purchases.shape, limit: 32, in: plans)
        _ = try await RefundStore().due(of: "imp_7", in: plans)
        _ = try await pages.order("C7", ofPage: [7], at: .now, in: plans)
        let reconciliation = ReconciliationStore()
        let range = ReconciliationStore.Range(after: "imp_2000", through: "imp_2050")
        _ = try await reconciliation.page(after: "imp_2000", limit: 50, in: plans)
        _ = try await reconciliation.unbalanced(range, in: plans)
        _ = try await reconciliation.paid(
            range,
            from: .now - 86_400,
            to: .now,
            notSeenOn: try #require(CivilDate("2026-01-01")),
            in: plans
        )
        _ = try await payments.find(["imp_7", "imp_8"], in: plans)
        _ = try await orders.known(["C7", "C8"], in: plans)
        #expect(plans.all.count == 16)
        for plan in plans.all { #expect(!plan.contains("Seq Scan"), "\(plan)") }
    }

    @Test func operatorsQueries_useIndexes() async throws {
        try await Past.fill()
        let (plans, store) = (Plans(), OperatorOrderStore())
        let order = try #require(try await store.order(7, in: plans))
        _ = try await store.find("C7", limit: 50, in: plans)
        _ = try await store.newest(nil, of: nil, depth: 2000, limit: 50, in: plans)
        _ = try await store.newest(.paid, of: 7, depth: 2000, limit: 50, in: plans)
        _ = try await store.pendingRefunds(limit: 50, in: plans)
        let payments = try await store.payments(of: order, limit: 50, in: plans).map(\.impUID)
        #expect(payments == ["imp_7"])
        _ = try await store.refunds(of: payments, limit: 50, in: plans)
        #expect(try await store.ledger(of: payments, limit: 50, in: plans).count == 4)
        _ = try await store.webhooks(of: payments, limit: 50, in: plans)
        #expect(plans.all.count == 9)
        for plan in plans.all { #expect(!plan.contains("Seq Scan"), "\(plan)") }
    }

    /// Queries that timers run every second read few rows while nothing is due.
    @Test func timerQueries_readOnlyDueRows() async throws {
        try await Past.fill()
        let plans = Plans(counts: true)
        let (now, later) = (Date.now, Date.now + 30)
        _ = try await OrderStore().takeDue(at: now, limit: 16, until: later, in: plans)
        _ = try await RefundStore().takeDue(at: now, limit: 8, until: later, in: plans)
        for known in [true, false] {
            _ = try await WebhookStore().takeDue(known: known, at: now, limit: 16, until: later, in: plans)
        }
        let (retention, past) = (RetentionStore(), now - 90 * 86_400)
        _ = try await retention.deleteUnpaidPayments(before: past, in: plans)
        _ = try await retention.deleteExpiredOrders(before: past, in: plans)
        _ = try await retention.eraseReceipts(before: past, at: now, in: plans)
        _ = try await retention.deleteAudit(before: past, in: plans)
        _ = try await PaymentStore().unclaimed(paidBefore: now - 1800, shape: Purchases.shape, limit: 32, in: plans)
        #expect(plans.all.count == 9)
        for plan in plans.all { #expect(Plans.rows(of: plan) <= 60, "\(plan)") }
    }
}

/// The rows of some months: 5,000 orders of 500 accounts, most of them paid.
private enum Past {
    static func fill() async throws {
        let client = TestDatabase.current.client
        let listing = PostgresJSON(PaymentsWorld.listing(PublicID.random().rawValue, 100, "N"))
        try await client.batch([
            """
            INSERT INTO orders (public_id, app, code, account_id, subject, name, amount, listing, state, held_until,
                prepared_at, check_at, created_at, updated_at, paid_at)
            SELECT lpad(n::text, 24, '0'), app, 'C' || n, n % 500, 's' || n, 'N', 100,
                CASE WHEN app = 'anlaka' THEN \(listing) END, state, at + interval '10 minutes', at,
                CASE WHEN state = 'open' THEN now() + interval '1 hour' END, at, at,
                CASE WHEN state = 'paid' THEN at END
            FROM generate_series(1, 5000) n,
                LATERAL (SELECT CASE WHEN n % 3 = 0 THEN 'culture' ELSE 'anlaka' END AS app,
                    CASE WHEN n % 10 = 0 THEN 'expired' WHEN n > 4980 THEN 'open' ELSE 'paid' END AS state,
                    now() - make_interval(mins => 5000 - n) AS at) o
            """,
            """
            INSERT INTO payments (imp_uid, public_id, merchant_uid, order_id, status, currency, amount, paid, sold, paid_at,
                verdict, decided_at, receipt, created_at)
            SELECT 'imp_' || id, lpad(id::text, 24, '0'), code, id, 'paid', 'KRW', 100, 100, 100, paid_at, 'confirmed',
                paid_at, '{"texts":{},"numbers":{},"flags":{}}', created_at
            FROM orders WHERE state = 'paid'
            """,
            """
            WITH movements AS (
                INSERT INTO ledger_transactions (imp_uid, kind, currency, at)
                SELECT imp_uid, kind, 'KRW', created_at FROM payments, unnest('{payment,sale}'::text[]) AS kind
                RETURNING id
            )
            INSERT INTO ledger_entries (transaction_id, account, amount)
            SELECT id, account, amount FROM movements, (VALUES ('clearing', 1), ('sales', -1)) AS e (account, amount)
            """,
            "INSERT INTO comparisons (day, started_at) VALUES ('2026-01-01', now())",
            "INSERT INTO compared_payments (day, imp_uid) SELECT '2026-01-01', imp_uid FROM payments",
            """
            INSERT INTO refunds (imp_uid, amount, reason, requested_at, done_at)
            SELECT imp_uid, 10, 'R', now(), now() FROM payments LIMIT 1000
            """,
            """
            INSERT INTO notices (imp_uid, merchant_uid, status, received_at)
            SELECT imp_uid, merchant_uid, 'paid', now() FROM payments
            """,
            """
            INSERT INTO people (account_id, app, public_id, nickname)
            SELECT n, 'anlaka', lpad(to_hex(n), 24, '0'), 'P' FROM generate_series(0, 499) n
            """,
            """
            INSERT INTO checkout_pages (token_hash, order_id, account_id, expires_at)
            SELECT decode(lpad(to_hex(id), 64, '0'), 'hex'), id, account_id, now() + interval '1 hour' FROM orders
            """,
        ])
        try await TestDatabase.current.analyze()
    }
}
