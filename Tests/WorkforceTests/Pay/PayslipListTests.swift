import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

@Suite(.database(Migrations.all), .service) struct PayslipListTests {
    private var world: WorkforceWorld { .current }

    private struct Page: Decodable {
        var payslipInfoList: [Item]
        var nextCursor: String?

        struct Item: Decodable, Equatable {
            var workplaceId: WorkplaceID
            var workplaceName: String
            var workerId: WorkerID
            var month: String
            var grossIncome: Int
            var netIncome: Int
        }
    }

    @Test func payslipList_pagesOwnMonthsNewestFirst() async throws {
        let (pay, database) = (PayWorld(), TestDatabase.current.client)
        let (cafe, shop) = (try await pay.workplace(of: 9, "카페"), try await pay.workplace(of: 8, "가게"))
        let (one, other) = (
            try await pay.worker(1, at: cafe, .hourly()), try await pay.worker(1, at: shop, .hourly(20_000))
        )
        let stranger = try await pay.worker(2, at: cafe, .hourly())
        for worker in [one, other, stranger] {
            for date in ["2025-10-07", "2025-11-05", "2025-12-02"] { try await pay.work(worker, date, 540, 60) }
        }
        try await database.execute("UPDATE workplaces SET deleted_at = now() WHERE id = \(shop)")
        try await database.execute("UPDATE workers SET parted_at = now() WHERE id = \(one)")

        var (found, cursor, pages) = ([Page.Item](), "", 0)
        repeat {
            let answer = try await world.client(1).send(.get, "/payslips?size=4\(cursor)")
            let page = try answer.json(Page.self)
            found += page.payslipInfoList
            cursor = page.nextCursor.map { "&cursor=\($0)" } ?? ""
            pages += 1
            #expect(answer.text.contains("nextCursor"))
        } while !cursor.isEmpty && pages < 9
        #expect(pages == 2)
        #expect(found.map(\.month) == ["2025-12", "2025-12", "2025-11", "2025-11", "2025-10", "2025-10"])
        #expect(found.map(\.workerId) == [other, one, other, one, other, one])
        #expect(found.first?.workplaceName == "가게" && found.first?.grossIncome == 20_000)
        #expect(found.allSatisfy { $0.netIncome == $0.grossIncome })
        #expect(try await world.client(9).send(.get, "/payslips").json(Page.self).payslipInfoList.isEmpty)
    }

    @Test func invalidPage_isRefused() async throws {
        for query in [
            "size=0", "size=101", "size=x", "cursor=2025-11", "cursor=2025-11.x", "cursor=2025-13.1", "cursor=x.1",
            "cursor=2025-11.1.1",
        ] {
            let answer = try await world.client(1).send(.get, "/payslips?\(query)")
            #expect(answer.status == .badRequest && answer.text.contains("ARGUMENT_400"), "\(query)")
        }
        try await TestDatabase.current.client.execute("UPDATE people SET withdrawn_at = now() WHERE account_id = 2")
        #expect(try await world.client(2).send(.get, "/payslips").text.contains("USER_404"))
    }
}
