import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// After random operations in any order, the stored pay equals a recalculation of all shifts.
@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service(at: "2025-12-28T09:00")) struct ShiftOperationsTests
{
    private var world: WorkforceWorld { .current }
    private static let weekdays = DayOfWeek.allCases.map(\.rawValue)

    /// A random plan around the turn of a year.
    private func plan(_ random: inout SplitMix) throws -> WorkJSON {
        let first = try date("2025-11-24") + Int.random(in: 0..<70, using: &random)
        let minute = Int.random(in: 0..<1440, using: &random)
        let length = Int.random(in: 1...1440, using: &random)
        var work = WorkJSON(
            start: "\(first)T\(ClockTime(minute: minute))",
            end: "\(first + (minute + length) / 1440)T\(ClockTime(minute: (minute + length) % 1440))",
            rest: Int.random(in: 0...length / 2, using: &random)
        )
        if Int.random(in: 0..<3, using: &random) == 0 {
            work.days = Self.weekdays.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            work.until = "\(first + Int.random(in: 0..<40, using: &random))"
        } else if Int.random(in: 0..<4, using: &random) == 0 {
            work.actual = (work.start, work.end)
        }
        return work
    }

    @Test(arguments: [UInt64(1), 2, 3]) func randomOperations_keepPayConsistent(_ seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let shop = try await ShiftsWorld.shop()
        let wages: [Wage] = [.withAllowances(), .withAllowances(15_000), .fixed(2_000_000)]
        for (number, worker) in [shop.first, shop.second].enumerated() {
            for month in 0..<2 {
                let since = CivilMonth(year: 2025, month: 11).next(month)
                try await ShiftsWorld.pay(wages[(number + month) % 3], to: worker, since: since)
            }
        }
        var statuses: [Int: Int] = [:]
        for _ in 0..<200 {
            let answer = try await step(shop, world.clock, &random)
            #expect([200, 201, 204, 400, 404, 409, 422].contains(answer.status.code), "\(answer.text)")
            statuses[answer.status.code, default: 0] += 1
        }
        // Enough of the operations have succeeded.
        let done = [200, 201, 204].reduce(0) { $0 + statuses[$1, default: 0] }
        #expect(done > 80, "\(statuses)")
        try await ShiftAudit.check()
    }

    private func step(
        _ shop: ShiftsWorld.Shop,
        _ clock: ManualClock,
        _ random: inout SplitMix
    ) async throws -> TestResponse {
        let account = AccountID(rawValue: Int64.random(in: 1...2, using: &random))
        let worker = account == 1 ? shop.first : shop.second
        let phone = world.client(account)
        let shift = try await ShiftsWorld.shifts(of: worker).randomElement(using: &random)?.id ?? 999_999
        var work = try plan(&random)
        let mine = "/workplaces/\(shop.id)/workers/me/works"
        let owners = "/workplaces/\(shop.id)/workers/\(worker)/works"
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: return try await phone.send(.post, mine, json: work.text)
        case 5:
            work.workers = [shop.first, shop.second]
            return try await world.client(9).send(.post, "/workplaces/\(shop.id)/works/batch", json: work.text)
        case 6, 7: return try await phone.send(.patch, "/works/\(shift)", json: work.text)
        case 8: return try await world.client(9).send(.patch, "\(owners)/\(shift)", json: work.text)
        case 9, 10: return try await phone.send(.patch, "/works/recurring/\(shift)", json: work.text)
        case 11: return try await world.client(9).send(.patch, "\(owners)/recurring/\(shift)", json: work.text)
        case 12: return try await phone.send(.delete, "/works/\(shift)")
        case 13: return try await world.client(9).send(.delete, "/works/recurring/\(shift)")
        case 14: return try await phone.send(.post, "\(mine)/start")
        default:
            clock.advance(by: Double(Int.random(in: 0..<100_000, using: &random)))
            return try await phone.send(.patch, "\(mine)/end")
        }
    }
}
