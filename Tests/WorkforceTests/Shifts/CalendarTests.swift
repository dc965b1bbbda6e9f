import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Calendars and single shifts (MOUP contract 1.4, calls 21, 22, 31 to 34).
@Suite(.database(Migrations.all), .service) struct CalendarTests {
    private var world: WorkforceWorld { .current }

    private struct Calendar: Decodable { var workSummaryInfoList: [Summary] }

    private struct Summary: Decodable {
        var workId: ShiftID
        var workerSummaryInfo: WorkerInfo
        var workplaceSummaryInfo: WorkplaceInfo
        var workDate: String
        var estimatedNetIncome: Int?
        var isMyWork: Bool
        var isEditable: Bool
    }

    private struct WorkerInfo: Decodable {
        var workerId: WorkerID
        var nickname: String
        var profileImg: String?
    }

    private struct WorkplaceInfo: Decodable {
        var workplaceId: WorkplaceID
        var status: String
    }

    private func calendar(_ path: String, _ account: AccountID, month: String = "2025-11") async throws -> [Summary] {
        let answer = try await world.client(account).send(.get, "\(path)?baseYearMonth=\(month)")
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json(Calendar.self).workSummaryInfoList
    }

    private func refusal(_ path: String, _ account: AccountID) async throws -> String {
        try await world.client(account).send(.get, path).json(Refusal.self).errorCode
    }

    /// A shift of an hour.
    private func hour(_ day: String, _ time: String = "09") -> WorkJSON {
        WorkJSON(start: "\(day)T\(time):00", end: "\(day)T\(time):59")
    }

    @Test func calendar_showsThirteenMonthsInOrder() async throws {
        let shop = try await ShiftsWorld.shop()
        for day in ["2026-05-31", "2026-06-01", "2025-05-01", "2025-04-30", "2025-11-05"] {
            _ = try await world.add(hour(day, "11"), at: shop.id, by: 1)
        }
        _ = try await world.add(hour("2025-11-05", "09"), at: shop.id, by: 1)
        let shown = ["2025-05-01", "2025-11-05", "2025-11-05", "2026-05-31"]
        for path in ["/works", "/workplaces/\(shop.id)/works", "/workplaces/\(shop.id)/workers/me/works"] {
            let entries = try await calendar(path, 1)
            #expect(entries.map(\.workDate) == shown)
            #expect(entries[1].workId > entries[2].workId)
        }
        #expect(try await calendar("/works", 1, month: "2025-10").count == 4)
        #expect(try await calendar("/works", 2).isEmpty)
    }

    @Test func calendar_hidesPayOfColleagues() async throws {
        let shop = try await ShiftsWorld.shop()
        try await ShiftsWorld.pay(.fixed(2_000_000), to: shop.second, since: CivilMonth(year: 2025, month: 1))
        for account: AccountID in [1, 2, 9] { _ = try await world.add(hour("2025-11-05"), at: shop.id, by: account) }
        let path = "/workplaces/\(shop.id)/works"
        let mine = try await calendar(path, 1)
        #expect(mine.map(\.estimatedNetIncome) == [9862, 0, 0])
        #expect(mine.map(\.isMyWork) == [true, false, false])
        #expect(mine.map(\.isEditable) == [true, false, false])
        // The pay of colleagues is always 0.
        #expect(try await calendar(path, 2).map(\.estimatedNetIncome) == [0, 2_000_000, 0])
        let owner = try await calendar(path, 9)
        #expect(owner.map(\.estimatedNetIncome) == [9862, 2_000_000, 0])
        #expect(owner.map(\.isMyWork) == [false, false, true])
        #expect(owner.map(\.isEditable) == [true, true, true])
    }

    @Test func calendar_hidesPartedWorkersAndDeletedWorkplaces() async throws {
        let shop = try await ShiftsWorld.shop()
        for account: AccountID in [1, 2] { _ = try await world.add(hour("2025-11-05"), at: shop.id, by: account) }
        let path = "/workplaces/\(shop.id)/works"
        try await ShiftsWorld.change("UPDATE workers SET parted_at = now() WHERE id = \(shop.first)")
        #expect(try await calendar(path, 9).map(\.workerSummaryInfo.workerId) == [shop.second])
        #expect(try await calendar("/works", 1).isEmpty)
        #expect(try await refusal("\(path)?baseYearMonth=2025-11", 1) == "PERMISSION_403")
        try await ShiftsWorld.change("UPDATE people SET withdrawn_at = now(), nickname = '' WHERE account_id = 1")
        let entry = try #require(try await calendar(path, 9).first)
        #expect((entry.workerSummaryInfo.nickname, entry.workerSummaryInfo.profileImg) == ("탈퇴한 근무자", nil))
        #expect(!entry.isEditable)
        // A worker who left before the withdrawal is not shown again.
        try await ShiftsWorld.change("UPDATE workers SET is_listed = false WHERE id = \(shop.first)")
        #expect(try await calendar(path, 9).map(\.workerSummaryInfo.workerId) == [shop.second])
        try await ShiftsWorld.change("UPDATE workers SET is_listed = true WHERE id = \(shop.first)")
        #expect(try await world.client(9).send(.get, "/works/\(entry.workId)").status == .ok)
        #expect(try await world.client(9).send(.delete, "/works/\(entry.workId)").status == .notFound)
        try await ShiftsWorld.change("UPDATE workplaces SET abandoned_at = now()")
        let abandoned = try await calendar("/works", 2)
        #expect(abandoned.map(\.workplaceSummaryInfo.status) == ["OWNER_WITHDRAWN"])
        #expect(abandoned.map(\.isEditable) == [false])
        try await ShiftsWorld.change("UPDATE workplaces SET deleted_at = now()")
        #expect(try await calendar("/works", 2).isEmpty)
        #expect(try await refusal("\(path)?baseYearMonth=2025-11", 2) == "WORKPLACE_404")
        #expect(try await refusal("/works/\(entry.workId.rawValue + 1)", 2) == "WORK_404")
    }

    @Test func calendar_forStrangers_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let other = try await ShiftsWorld.workplace(of: 8, name: "옆가게")
        let pending = try await ShiftsWorld.worker(1, at: other.id, isAccepted: false)
        let month = "?baseYearMonth=2025-11"
        #expect(try await refusal("/workplaces/\(shop.id)/works\(month)", 8) == "PERMISSION_403")
        #expect(try await refusal("/workplaces/\(shop.id)/workers/me/works\(month)", 8) == "WORKER_404")
        #expect(try await refusal("/workplaces/999999/works\(month)", 1) == "WORKPLACE_404")
        #expect(try await refusal("/workplaces/\(other.id)/works\(month)", 1) == "PERMISSION_403")
        #expect(try await refusal("/workplaces/\(other.id)/workers/me/works\(month)", 1) == "PERMISSION_403")
        let id = try await world.add(hour("2025-11-05"), at: shop.id, by: 1)[0]
        for account: AccountID in [2, 8] {
            #expect(try await refusal("/works/\(id)", account) == "PERMISSION_403")
            #expect(try await refusal("/works/\(id)?view=summary", account) == "PERMISSION_403")
        }
        #expect(try await refusal("/workplaces/\(shop.id)/workers/\(shop.first)", 8) == "PERMISSION_403")
        #expect(try await refusal("/workplaces/\(shop.id)/workers/\(shop.first)", 2) == "PERMISSION_403")
        #expect(try await refusal("/workplaces/\(shop.id)/workers/\(pending)", 9) == "WORKER_404")
        #expect(try await refusal("/workplaces/\(shop.id)/workers/me", 9) == "PERMISSION_403")
        #expect(try await refusal("/workplaces/\(other.id)/workers/me", 1) == "PERMISSION_403")
        #expect(try await refusal("/workplaces/\(other.id)/workers/me", 2) == "WORKER_404")
        try await ShiftsWorld.change("UPDATE people SET withdrawn_at = now() WHERE account_id = 2")
        #expect(try await refusal("/works\(month)", 2) == "USER_404")
    }

    @Test(arguments: [
        "", "2025", "2025-13", "2025-00", "2025-1", "25-11", "1999-12", "2100-01", "abcd-ef", "2025-11-01",
    ])
    func invalidMonth_isRefused(_ month: String) async throws {
        let shop = try await ShiftsWorld.shop()
        for path in ["/works", "/workplaces/\(shop.id)/works", "/workplaces/\(shop.id)/workers/me/works"] {
            #expect(try await refusal("\(path)?baseYearMonth=\(month)", 1) == "ARGUMENT_400")
            #expect(try await refusal(path, 1) == "ARGUMENT_400")
        }
    }

    @Test func shift_isShownToItsWorkerAndOwner() async throws {
        let shop = try await ShiftsWorld.shop()
        let routine = try await ShiftsWorld.routine(of: 1)
        let silent = try await ShiftsWorld.routine(of: 1, name: "마감", alarm: nil)
        var work = WorkJSON(start: "2025-11-05T22:00", end: "2025-11-06T06:00", rest: 60)
        (work.memo, work.routines) = ("a/b \\\"c\\\"", [silent.id, routine.id])
        (work.days, work.until) = (["WEDNESDAY"], "2025-11-12")
        let ids = try await world.add(work, at: shop.id, by: 1)
        let own = try await world.client(1).send(.get, "/works/\(ids[0])?view=DETAIL").text
        let head = """
            {"workId":\(ids[0]),"workerSummaryInfo":{"workerId":\(shop.first),"workerBasedLabelColor":"RED",\
            "ownerBasedLabelColor":"BLUE","nickname":"하루","profileImg":"/i/1","isAccepted":true},\
            "workplaceSummaryInfo":{"workplaceId":\(shop.id),"workplaceName":"언덕카페","isShared":true,\
            "status":"ACTIVE"},
            """
        let times = """
            "workDate":"2025-11-05","startTime":"2025-11-05T13:00:00Z","endTime":"2025-11-05T21:00:00Z",\
            "workMinutes":420,"restTimeMinutes":60,"repeatDays":["WEDNESDAY"],"repeatEndDate":"2025-11-12",
            """
        let linked =
            #""linkedWorks":[\#(ids.map { #"{"workId":\#($0),"repeatDays":["WEDNESDAY"]}"# }.joined(separator: ","))]"#
        #expect(
            try ShiftsJSON(own)
                == ShiftsJSON(
                    """
                    \(head)\(times)"actualStartTime":null,"actualEndTime":null,"memo":"a/b \\"c\\"",\
                    "routineSummaryInfoList":[\
                    {"routineId":\(routine.id),"routineName":"오픈","alarmTime":"08:00",\(linked)},\
                    {"routineId":\(silent.id),"routineName":"마감","alarmTime":null,\(linked)}],\
                    "isMyWork":true,"isEditable":true}
                    """
                )
        )
        let summary = try await world.client(1).send(.get, "/works/\(ids[0])?view=Summary").text
        #expect(
            try ShiftsJSON(summary)
                == ShiftsJSON("\(head)\(times)\"estimatedNetIncome\":105315,\"isMyWork\":true,\"isEditable\":true}")
        )
        let owner = try await world.client(9).send(.get, "/works/\(ids[0])").text
        #expect(owner.contains(#""isMyWork":false,"#) || owner.contains(#""isMyWork":false}"#))
        #expect(!owner.contains("08:00"))
        #expect(owner.contains("오픈"))
        #expect(owner.contains(#""linkedWorks":[]"#))
        #expect(try await refusal("/works/\(ids[0])?view=other", 1) == "ARGUMENT_400")
        #expect(try await refusal("/works/abc", 1) == "ARGUMENT_400")
        #expect(try await refusal("/works/-5", 1) == "VARIABLE_400")
        #expect(try await refusal("/works/99999999999999999999", 1) == "ARGUMENT_400")
        #expect(try await refusal("/works/999999", 1) == "WORK_404")
    }

    @Test func attendance_listsShiftsNewestFirst() async throws {
        let shop = try await ShiftsWorld.shop()
        var done = hour("2025-11-05")
        done.actual = ("2025-11-05T08:57", "2025-11-05T10:02")
        let first = try await world.add(done, at: shop.id, by: 1)[0]
        let second = try await world.add(hour("2026-11-06"), at: shop.id, by: 1)[0]
        let list = """
            [{"workId":\(second),"workDate":"2026-11-06","startTime":"2026-11-06T00:00:00Z","actualStartTime":null,\
            "endTime":"2026-11-06T00:59:00Z","actualEndTime":null},\
            {"workId":\(first),"workDate":"2025-11-05","startTime":"2025-11-05T00:00:00Z",\
            "actualStartTime":"2025-11-04T23:57:00Z","endTime":"2025-11-05T00:59:00Z",\
            "actualEndTime":"2025-11-05T01:02:00Z"}]
            """
        let own = try await world.client(1).send(.get, "/workplaces/\(shop.id)/workers/me").text
        #expect(try ShiftsJSON(own) == ShiftsJSON(#"{"myWorkAttendanceInfoList":\#(list)}"#))
        let owner = try await world.client(9).send(.get, "/workplaces/\(shop.id)/workers/\(shop.first)").text
        let expected = """
            {"workplaceId":\(shop.id),"workerId":\(shop.first),"workerWorkAttendanceInfoList":\(list)}
            """
        #expect(try ShiftsJSON(owner) == ShiftsJSON(expected))
    }
}
