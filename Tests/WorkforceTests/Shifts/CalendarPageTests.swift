import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Workforce

/// Parts of calendars and attendance lists (MOUP contract 1.5, Calendars).
@Suite(.database(Migrations.all), .service) struct CalendarPageTests {
    private var world: WorkforceWorld { .current }

    private struct Body: Decodable {
        var workSummaryInfoList: [Item]?
        var myWorkAttendanceInfoList: [Item]?
        var workerWorkAttendanceInfoList: [Item]?

        var items: [Item] {
            workSummaryInfoList ?? myWorkAttendanceInfoList ?? workerWorkAttendanceInfoList ?? []
        }

        struct Item: Decodable {
            var workId: ShiftID
            var workDate: String
        }
    }

    private func list(_ path: String, by account: AccountID) async throws -> (items: [Body.Item], next: String?) {
        let answer = try await world.client(account).send(.get, path)
        try #require(answer.status == .ok, "\(answer.text)")
        let name = try #require(HTTPField.Name("X-Next-Cursor"))
        return (try answer.json(Body.self).items, answer.headers[name])
    }

    /// Every page of a list.
    private func pages(_ path: String, size: Int, by account: AccountID) async throws -> [[ShiftID]] {
        var (pages, cursor) = ([[ShiftID]](), "")
        repeat {
            let page = try await list("\(path)&size=\(size)&cursor=\(cursor)", by: account)
            pages.append(page.items.map(\.workId))
            cursor = try #require(page.next)
        } while cursor != "-1" && pages.count < 20
        return pages
    }

    /// Five shifts on two days, several with the same start.
    private func shop() async throws -> (id: WorkplaceID, worker: WorkerID) {
        let shop = try await ShiftsWorld.shop()
        for day in ["2025-11-05", "2025-11-06"] {
            for hour in ["09", "10"] {
                let work = WorkJSON(start: "\(day)T\(hour):00", end: "\(day)T\(hour):59")
                _ = try await world.add(work, at: shop.id, by: 1)
            }
        }
        _ = try await world.add(WorkJSON(start: "2025-11-05T09:00", end: "2025-11-05T09:59"), at: shop.id, by: 2)
        return (shop.id, shop.second)
    }

    @Test(arguments: 1...6) func pages_containWholeCalendarOnce(size: Int) async throws {
        let shop = try await shop()
        for (range, next) in [("baseYearMonth=2025-11", nil), ("from=2025-11-05&to=2025-11-06", "-1")] {
            let path = "/workplaces/\(shop.id)/works?\(range)"
            let whole = try await list(path, by: 9)
            #expect(whole.items.count == 5 && whole.next == next)
            let pages = try await pages(path, size: size, by: 9)
            #expect(pages.flatMap(\.self) == whole.items.map(\.workId))
            #expect(pages.count == (5 + size - 1) / size)
        }
    }

    /// The app knows no pages, and sends neither `from` nor `to`.
    @Test func longCalendar_isAPage_ofThoseWhoSayFromAndTo() async throws {
        let shop = try await ShiftsWorld.shop()
        let week = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]
        let work = WorkJSON(start: "2025-09-01T09:00", end: "2025-09-01T10:00", days: week, until: "2025-12-14")
        _ = try await world.add(work, at: shop.id, by: 1)
        let all = try await list("/works?baseYearMonth=2025-10", by: 1)
        #expect(all.items.count == 105 && all.next == nil)
        let first = try await list("/works?from=2025-09-01&to=2025-12-31", by: 1)
        #expect(first.items.map(\.workId) == all.items.prefix(100).map(\.workId))
        let cursor = try #require(first.next)
        let rest = try await list("/works?from=2025-09-01&to=2025-12-31&cursor=\(cursor)", by: 1)
        #expect(rest.items.map(\.workId) == all.items.dropFirst(100).map(\.workId) && rest.next == "-1")
    }

    @Test func fromAndTo_narrowEveryList() async throws {
        let shop = try await shop()
        let own = "/workplaces/\(shop.id)/workers/me"
        let paths = ["/works", "\(own)/works", "/workplaces/\(shop.id)/works", own]
        for path in paths {
            let items = try await list("\(path)?from=2025-11-06&to=2025-11-06", by: 1).items
            #expect(items.map(\.workDate) == ["2025-11-06", "2025-11-06"], "\(path)")
        }
        #expect(try await list("\(own)?from=2025-11-07", by: 1).items.isEmpty)
        #expect(try await list("\(own)?to=2025-11-05", by: 1).items.count == 2)
        let all = try await list(own, by: 1).items.map(\.workId)
        #expect(all == all.sorted(by: >))
        #expect(try await pages("\(own)?from=2025-01-01", size: 3, by: 1) == [Array(all[..<3]), Array(all[3...])])
        let other = "/workplaces/\(shop.id)/workers/\(shop.worker)"
        #expect(try await pages("\(other)?to=2025-12-31", size: 1, by: 9).map(\.count) == [1])
    }

    @Test(arguments: [
        "from=2025-11-06", "to=2025-11-06", "from=2025-11-06&to=2025-11-05", "from=2025-11-06&to=2026-12-11",
        "from=2025-11-31&to=2025-12-01", "from=1999-12-31&to=2000-01-01", "baseYearMonth=2025-11&size=0",
        "baseYearMonth=2025-11&size=1001", "baseYearMonth=2025-11&size=x", "baseYearMonth=2025-11&size=1&cursor=x",
        "size=5", "from=&to=",
    ])
    func wrongRange_isRefused(query: String) async throws {
        let answer = try await world.client(1).send(.get, "/works?\(query)")
        #expect(try answer.refusal == "400 ARGUMENT_400")
    }
}
