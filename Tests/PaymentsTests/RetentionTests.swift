import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct RetentionTests {
    private var world: PaymentsWorld { .current }

    /// Deletes old records as if `days` had passed.
    private func deleteOld(after days: Double) async throws {
        let retention = Retention(database: world.database, now: { .now + days * 86_400 })
        while try await retention.deleteOld() {}
    }

    private func counts(_ tables: String...) async throws -> [Int] {
        var counts: [Int] = []
        for table in tables {
            counts.append(
                try await world.database.one("SELECT count(*) FROM \(identifier: table)") { try $0.decode(Int.self) }
            )
        }
        return counts
    }

    private func paid() async throws -> String {
        let impUID = try await world.pay(world.order())
        #expect(try await world.validate(impUID).status == .ok)
        return impUID
    }

    @Test func unpaidOrderAndFailedPayment_areDeletedAfterNinetyDays() async throws {
        _ = try await paid()
        let code = try await world.order()
        let failed = try await world.pay(code, status: "failed")
        try await world.settle(try #require(try await world.report(of: failed)))
        #expect(try await world.client(1).send(.delete, "/v1/orders/\(code)").status.kind == .successful)
        #expect(try await counts("orders", "payments") == [2, 2])
        try await deleteOld(after: 89)
        #expect(try await counts("orders", "payments") == [2, 2])
        try await deleteOld(after: 91)
        #expect(try await counts("orders", "payments") == [1, 1])
        #expect(try await world.state(of: code) == nil)
    }

    @Test func receipt_isErasedAfterFiveYears() async throws {
        let impUID = try await paid()
        try await world.database.execute(
            """
            UPDATE payments SET receipt = '{"texts":{"buyer_tel":"01012345678"},"numbers":{},"flags":{}}'
            """
        )
        func age(by interval: String) async throws {
            try await world.database.execute("UPDATE payments SET created_at = now() - \(interval)::text::interval")
            try await deleteOld(after: 0)
        }
        try await age(by: "4 years")
        let kept = try #require(try await world.payment(impUID))
        #expect(kept.receipt.texts["buyer_tel"] == "01012345678")
        try await age(by: "6 years")
        let erased = try #require(try await world.payment(impUID))
        #expect(erased.receipt == Receipt() && erased.balance == kept.balance)
        #expect(try await world.validate(impUID).status == .ok)
    }

    @Test func ledgerAndAudit_cannotBeDeletedEarly() async throws {
        _ = try await paid()
        for table in ["ledger_entries", "ledger_transactions", "audit"] {
            await #expect(throws: PostgresError.self, "\(table)") {
                try await world.database.execute("DELETE FROM \(identifier: table)")
            }
            await #expect(throws: PostgresError.self, "\(table)") {
                try await world.database.execute("TRUNCATE \(identifier: table) CASCADE")
            }
        }
        #expect(try await counts("ledger_entries") == [4])
    }

    @Test func payment_isDeletedWithAllItsRecordsAfterTenYears() async throws {
        let old = try await paid()
        #expect(try await world.refund(old).status.kind == .successful)
        try await eventually("the refund is made") {
            try await world.database.one("SELECT count(*) FROM refunds WHERE done_at IS NULL") {
                try $0.decode(Int.self)
            } == 0
        }
        let young = try await paid()
        try await world.age(old, by: "11 years")
        try await deleteOld(after: 0)
        #expect(try await world.payment(old) == nil)
        #expect(try await world.payment(young) != nil)
        #expect(try await counts("orders", "refunds", "ledger_transactions") == [1, 0, 2])
        #expect(try await world.audited(old) == 0)
        #expect(try await world.audited(young) > 0)
    }
}

extension PaymentsWorld {
    /// Number of notes about a payment.
    fileprivate func audited(_ impUID: String) async throws -> Int {
        try await database.one("SELECT count(*) FROM audit WHERE imp_uid = \(impUID)") { try $0.decode(Int.self) }
    }

    /// Dates a payment and its records back, past the triggers that keep them.
    fileprivate func age(_ impUID: String, by interval: String) async throws {
        try await database.transaction { transaction in
            for table in ["ledger_transactions", "audit"] {
                try await transaction.execute("ALTER TABLE \(identifier: table) DISABLE TRIGGER USER")
                try await transaction.execute(
                    "UPDATE \(identifier: table) SET at = at - \(interval)::text::interval WHERE imp_uid = \(impUID)"
                )
                try await transaction.execute("ALTER TABLE \(identifier: table) ENABLE TRIGGER USER")
            }
            try await transaction.execute(
                "UPDATE payments SET created_at = created_at - \(interval)::text::interval WHERE imp_uid = \(impUID)"
            )
        }
    }
}
