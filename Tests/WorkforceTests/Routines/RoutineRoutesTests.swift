import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

@Suite(.database(Migrations.all), .service) struct RoutineRoutesTests {
    private var world: WorkforceWorld { .current }

    @Test func routineList_isOrderedByAlarmTime() async throws {
        let late = try await world.routine(1, "마감", alarm: "22:30")
        let none = try await world.routine(1, "아무때나", tasks: [])
        let early = try await world.routine(1, "오픈", alarm: "08:05", tasks: ["불 켜기", "환기"])
        _ = try await world.routine(2, "오픈")
        let answer = try await world.client(1).send(.get, "/routines")
        #expect(answer.status == .ok)
        let list = try answer.json(RoutineListBody.self).routineSummaryInfoList
        #expect(list.map(\.routineId) == [early, late, none])
        #expect(list.map(\.alarmTime) == ["08:05", "22:30", nil])
        #expect(answer.text.contains(#""alarmTime":null"#))

        let detail = try await world.client(1).send(.get, "/routines/\(early)")
        let tasks = try #require(try detail.json(RoutineBody.self).routineTaskList)
        #expect(tasks.map(\.content) == ["불 켜기", "환기"])
        #expect(tasks.map(\.orderIndex) == [0, 1])
        #expect(tasks.allSatisfy { $0.routineId == early })
        let summary = try await world.client(1).send(.get, "/routines/\(early)?view=SUMMARY")
        #expect(try summary.keys() == ["routineId", "routineName", "alarmTime", "linkedWorks"])
    }

    @Test func newRoutine_returnsLocation() async throws {
        let answer = try await world.client(9).send(.post, "/routines", json: WorkforceWorld.body("오픈"))
        let id = try #require(answer.json([String: RoutineID].self)["routineId"])
        #expect(answer.status == .created)
        #expect(answer.headers[.location]?.hasSuffix("/routines/\(id)") == true)
    }

    @Test(arguments: [HTTPRequest.Method.patch, .put])
    func routineUpdate_replacesAllMembers(method: HTTPRequest.Method) async throws {
        let id = try await world.routine(1, "오픈", alarm: "08:00", tasks: ["하나", "둘"])
        let answer = try await world.client(1).send(
            method,
            "/routines/\(id)",
            json: #"{"routineName":"새 오픈","routineTaskList":[{"content":"셋","orderIndex":7}]}"#
        )
        #expect(answer.status == (method == .put ? .ok : .noContent))
        let now = try await world.client(1).send(.get, "/routines/\(id)").json(RoutineBody.self)
        #expect(now.routineName == "새 오픈")
        #expect(now.alarmTime == nil)
        #expect(now.routineTaskList?.map(\.content) == ["셋"])
    }

    @Test func linkedShifts_showDaysOfSeries() async throws {
        let place = try await world.place(of: 1)
        let routine = try await world.routine(1, "오픈")
        let date = try #require(CivilDate("2025-11-03"))
        let series = try await world.database.one(
            "INSERT INTO series (worker_id, days, until) VALUES (\(place.worker), 5, \(date)) RETURNING id"
        ) { try $0.decode(SeriesID.self) }
        let single = try await world.shift(place, on: date + 1, routines: [routine])
        let member = try await world.shift(place, on: date, routines: [routine], series: series)
        let list = try await world.client(1).send(.get, "/routines").json(RoutineListBody.self)
        #expect(
            list.routineSummaryInfoList.first?.linkedWorks == [
                .init(workId: member, repeatDays: ["MONDAY", "WEDNESDAY"]), .init(workId: single, repeatDays: []),
            ]
        )
        #expect(try await world.client(1).send(.delete, "/routines/\(routine)").status == .noContent)
        let left = try await world.database.one("SELECT count(*) FROM shift_routines") { try $0.decode(Int.self) }
        #expect(left == 0)
    }

    @Test(arguments: [
        (#"{"routineName":"","routineTaskList":[]}"#, "422 FIELD_422"),
        (#"{"routineName":"  ","routineTaskList":[]}"#, "422 FIELD_422"),
        (#"{"routineName":"\#(String(repeating: "가", count: 21))","routineTaskList":[]}"#, "422 FIELD_422"),
        (#"{"routineName":"a\u0000","routineTaskList":[]}"#, "422 FIELD_422"),
        (#"{"routineName":"a"}"#, "422 FIELD_422"),
        (#"{"routineName":"a","routineTaskList":null}"#, "422 FIELD_422"),
        (#"{"routineName":"a","alarmTime":"","routineTaskList":[]}"#, "422 FIELD_422"),
        (#"{"routineName":"a","alarmTime":"24:00","routineTaskList":[]}"#, "422 FIELD_422"),
        (#"{"routineName":"a","alarmTime":"8:00","routineTaskList":[]}"#, "422 FIELD_422"),
        (#"{"routineName":"a","alarmTime":"-1:00","routineTaskList":[]}"#, "422 FIELD_422"),
        (#"{"routineName":"a","routineTaskList":[{"content":" ","orderIndex":0}]}"#, "422 FIELD_422"),
        (
            #"{"routineName":"a","routineTaskList":[{"content":"a","orderIndex":0},{"content":"b","orderIndex":0}]}"#,
            "422 FIELD_422"
        ),
        (
            #"{"routineName":"a","routineTaskList":[{"content":"\#(String(repeating: "가", count: 31))","orderIndex":0}]}"#,
            "422 FIELD_422"
        ),
        (
            #"{"routineName":"a","routineTaskList":[{"content":"a","orderIndex":99999999999999999999}]}"#,
            "422 FIELD_422"
        ),
        (#"{"routineName":"a","routineTaskList":["#, "400 COMMON_400"),
        ("", "400 COMMON_400"),
    ])
    func invalidRoutine_isRefused(body: String, refusal: String) async throws {
        #expect(try await world.client(1).send(.post, "/routines", json: body).refusal == refusal)
        let id = try await world.routine(1, "있던 것")
        #expect(try await world.client(1).send(.patch, "/routines/\(id)", json: body).refusal == refusal)
        let kept = try await world.client(1).send(.get, "/routines/\(id)").json(RoutineBody.self)
        #expect(kept.routineName == "있던 것")
        #expect(kept.routineTaskList?.count == 1)
    }

    @Test func duplicateName_returns409() async throws {
        _ = try await world.routine(1, "오픈")
        let other = try await world.routine(1, "마감")
        let again = try await world.client(1).send(.post, "/routines", json: WorkforceWorld.body("오픈"))
        #expect(try again.refusal == "409 ROUTINE_NAME_409")
        let renamed = try await world.client(1).send(.patch, "/routines/\(other)", json: WorkforceWorld.body("오픈"))
        #expect(try renamed.refusal == "409 ROUTINE_NAME_409")
        let same = try await world.client(1).send(.patch, "/routines/\(other)", json: WorkforceWorld.body("마감"))
        #expect(same.status == .noContent)
    }

    @Test func tasks_moreThanFifty_areRefused() async throws {
        let fifty = (0..<50).map { "할 일 \($0)" }
        _ = try await world.routine(1, "많다", tasks: fifty)
        let more = try await world.client(1).send(
            .post,
            "/routines",
            json: WorkforceWorld.body("더 많다", tasks: fifty + ["하나 더"])
        )
        #expect(try more.refusal == "400 DATA_LIMIT_400")
    }

    @Test func concurrentRoutines_areLimitedToTwenty() async throws {
        for number in 0..<17 { _ = try await world.routine(1, "루틴 \(number)") }
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 17..<27 {
                group.addTask {
                    let body = WorkforceWorld.body("루틴 \(number)")
                    return try await world.client(1).send(.post, "/routines", json: body).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == .created } == 3)
        #expect(statuses.count { $0 == .badRequest } == 7)
    }

    @Test func routine_ofOtherUser_returns404() async throws {
        let id = try await world.routine(1, "오픈")
        for (method, body) in [
            (HTTPRequest.Method.get, nil), (.patch, WorkforceWorld.body("x")), (.put, WorkforceWorld.body("x")),
            (.delete, nil),
        ] {
            let answer = try await world.client(2).send(method, "/routines/\(id)", json: body)
            #expect(try answer.refusal == "404 ROUTINE_404")
        }
        #expect(try await world.client(1).send(.get, "/routines/\(id)").status == .ok)
    }

    @Test(arguments: [
        ("/routines/0", "400 VARIABLE_400"), ("/routines/-1", "400 VARIABLE_400"), ("/routines/x", "400 ARGUMENT_400"),
        ("/routines/99999999999999999999", "400 ARGUMENT_400"), ("/routines/1?view=all", "400 ARGUMENT_400"),
        ("/routines/999", "404 ROUTINE_404"), ("/routines/works/0/routines", "400 VARIABLE_400"),
        ("/routines/works/999/routines", "404 WORK_404"),
    ])
    func invalidPath_isRefused(path: String, refusal: String) async throws {
        let answer = try await world.client(1).send(.get, path)
        #expect(try answer.refusal == refusal)
    }

    @Test func unregisteredUser_whileAuthIsDown_gets503() async throws {
        try await world.database.execute("INSERT INTO people (account_id, nickname) VALUES (77, '')")
        // The service asks auth for the role, and auth does not answer here.
        #expect(try await world.client(77).send(.get, "/routines").status == .serviceUnavailable)
    }
}
