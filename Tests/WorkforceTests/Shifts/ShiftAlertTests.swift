import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Alerts to workers about the owner's changes to their shifts.
@Suite(.database(Migrations.all), .service) struct ShiftAlertTests {
    /// The use cases, with an outbox that records alerts.
    private func shifts() -> Shifts {
        WorkforceDomain(
            WorkforceConfiguration(database: TestDatabase.current.configuration),
            database: TestDatabase.current.client,
            outbox: AlertRecord.outbox
        ) { _ in nil }.shifts
    }

    private func series(_ start: String = "2025-11-05T09:00") throws -> ShiftPlan {
        let from = try seoul(start)
        let recurrence = Recurrence(days: Weekdays([.wednesday]), until: try date("2025-11-19"))
        return try ShiftPlan(from: from, to: from + 3600, recurrence: recurrence)
    }

    @Test func ownersChanges_alertWorkers() async throws {
        let shop = try await ShiftsWorld.shop()
        let shifts = shifts()
        let batch = try await shifts.add(try series(), for: [shop.first, shop.second, shop.owner], at: shop.id, by: 9)
        #expect(batch.failures.isEmpty)
        let single = try ShiftPlan(from: try seoul("2025-11-06T09:00"), to: try seoul("2025-11-06T10:00"))
        try await shifts.edit(batch.shifts[0], of: shop.first, at: shop.id, to: single, by: 9)
        let new = try await shifts.editFollowing(
            batch.shifts[1],
            of: shop.first,
            at: shop.id,
            to: try series("2025-11-12T13:00"),
            by: 9
        )
        try await shifts.remove(batch.shifts[0], by: 9)
        try await shifts.removeFollowing(new[0], by: 9)
        let alerts = try await AlertRecord.all()
        #expect(
            alerts.map(\.kind) == [
                .shiftsAdded, .shiftsAdded, .shiftsChanged, .shiftsChanged, .shiftsRemoved, .shiftsRemoved,
            ]
        )
        #expect(alerts.map(\.account) == [1, 2, 1, 1, 1, 1])
        #expect(alerts.allSatisfy { $0.sender == 9 && $0.workplace == shop.id })
        #expect(
            alerts.map(\.arguments) == [
                ["언덕카페", "2025-11-05", "3"], ["언덕카페", "2025-11-05", "3"], ["언덕카페", "2025-11-06", "1"],
                ["언덕카페", "2025-11-12", "2"], ["언덕카페", "2025-11-06", "1"], ["언덕카페", "2025-11-12", "2"],
            ]
        )
        #expect(alerts.map(\.shift) == [batch.shifts[0], batch.shifts[3], batch.shifts[0], new[0], nil, nil])
        #expect(alerts.map(\.worker) == [shop.first, shop.second, shop.first, shop.first, shop.first, shop.first])
    }

    @Test func ownChanges_sendNoAlert() async throws {
        let shop = try await ShiftsWorld.shop()
        let shifts = shifts()
        let plan = try series()
        for account: AccountID in [1, 9] {
            let ids = try await shifts.add(plan, routines: [], at: shop.id, by: account)
            try await shifts.remove(ids[0], by: account)
            try await shifts.removeFollowing(ids[1], by: account)
        }
        #expect(try await AlertRecord.all().isEmpty)
    }

    @Test func failedChange_sendsNoAlert() async throws {
        let shop = try await ShiftsWorld.shop()
        let shifts = shifts()
        for _ in 0..<2 { _ = try await shifts.add(try series(), for: [shop.first], at: shop.id, by: 9) }
        #expect(try await AlertRecord.all().count == 1)
    }
}
