import AppClients
import Apps

/// Shifts that the worker and the owner plan, change, work and delete.
struct MOUPShiftScenario {
    let stage: Stage
    let owner: Person
    let worker: Person
    let shop: Int64
    let id: Int64

    private static let list = "/workplaces/{workplaceId}/workers/me/works"
    private static let month = "baseYearMonth=2025-11"

    /// - Parameter routine: A routine of the worker, for shifts.
    func play(_ routine: Int64) async throws {
        let (single, series) = (try await plan(routine), try await planForAll())
        try await stage.part("lists of shifts") { try await lists(single) }
        try await stage.part("changes of shifts") { try await change(single, series, routine) }
        try await stage.part("changes by the owner") { try await changeByOwner() }
        try await stage.part("working") { try await work() }
        try await stage.part("today's routines") { try await today(routine) }
        try await stage.part("deletions of shifts") { try await delete(single) }
    }

    private static func shift(_ day: String, _ more: JSON = [:]) -> JSON {
        let shift: JSON = [
            "startTime": .string("\(day)T00:00:00Z"), "endTime": .string("\(day)T08:00:00Z"), "actualStartTime": nil,
            "actualEndTime": nil, "restTimeMinutes": 60, "memo": "첫 근무", "repeatDays": [], "repeatEndDate": nil,
        ]
        return shift.merging(more)
    }

    private func plan(_ routine: Int64) async throws -> Int64 {
        let call = "POST \(Self.list)"
        let own = Self.shift("2025-11-03", ["routineIdList": [.integer(routine)]])
        let made = try await worker.ask(call, shop, body: .json(own))
        guard let single = made["workIdList"]?[0]?.integer else { throw ClientError("the shift has no id") }
        try await worker.refused(call, shop, body: [:], with: 422, code: "FIELD_422", when: "empty body")
        let unknown = Self.shift("2025-11-04", ["routineIdList": [.integer(MOUPScenario.missing)]])
        try await worker.refused(
            call,
            shop,
            body: .json(unknown),
            with: 404,
            code: "ROUTINE_404",
            when: "unknown routine"
        )
        try await worker.refused(call, MOUPScenario.missing, body: .json(own), with: 404, when: "unknown id")
        return single
    }

    /// - Returns: The first shift of a series.
    private func planForAll() async throws -> Int64 {
        let call = "POST /workplaces/{workplaceId}/works/batch"
        let repeated: JSON = [
            "workerIdList": [.integer(id)], "repeatDays": ["MONDAY", "WEDNESDAY"], "repeatEndDate": "2025-11-26",
        ]
        let made = try await owner.ask(call, shop, body: .json(Self.shift("2025-11-10", repeated)), expecting: 201)
        guard let first = made["successWorkIdList"]?[0]?.integer else { throw ClientError("the series has no ids") }
        let none = Self.shift("2025-11-10", ["workerIdList": []])
        try await owner.refused(call, shop, body: .json(none), with: 422, code: "FIELD_422", when: "no worker")
        let some = Self.shift("2025-12-01", ["workerIdList": [.integer(MOUPScenario.missing)]])
        try await owner.ask(call, shop, body: .json(some), expecting: 200, as: "unknown worker")
        try await worker.refused(call, shop, body: .json(some), with: 403, code: "PERMISSION_403", when: "worker")
        return first
    }

    private func lists(_ single: Int64) async throws {
        try await worker.ask("GET \(Self.list)", shop, query: Self.month)
        try await worker.ask("GET /works", query: Self.month)
        try await owner.ask("GET /workplaces/{workplaceId}/works", shop, query: Self.month)
        try await worker.ask("GET /workplaces/{workplaceId}/works", shop, query: Self.month, as: "worker")
        try await worker.refused("GET \(Self.list)", shop, with: 400, code: "ARGUMENT_400", when: "no month")
        try await worker.refused(
            "GET /works",
            query: "baseYearMonth=x",
            with: 400,
            code: "ARGUMENT_400",
            when: "no month"
        )
        try await worker.refused(
            "GET /workplaces/{workplaceId}/works",
            shop,
            with: 400,
            code: "ARGUMENT_400",
            when: "no month"
        )
        let page = "GET /works/{workId}"
        try await worker.ask(page, single, case: "detail", as: "detail")
        try await owner.ask(page, single, query: "view=summary", case: "summary", as: "summary")
        try await worker.refused(page, MOUPScenario.missing, with: 404, code: "WORK_404", when: "unknown id")
        try await worker.refused(page, 0, with: 400, code: "VARIABLE_400", when: "id 0")
        let routines = "GET /routines/works/{workId}/routines"
        let list = try await worker.ask(routines, single)
        try await worker.refused(routines, MOUPScenario.missing, with: 404, code: "WORK_404", when: "unknown id")
        guard let routine = list["routineSummaryInfoList"]?[0]?["routineId"]?.integer else { return }
        let detail = try await worker.look("/routines/\(routine)")
        let task = try (detail["routineTaskList"]?[0] ?? .null).number("taskId")
        let done = "PUT /routines/works/{workId}/tasks/{taskId}/completion"
        try await worker.ask(done, single, task, body: ["completed": true])
        try await worker.refused(
            done,
            single,
            MOUPScenario.missing,
            body: ["completed": true],
            with: 404,
            when: "unknown id"
        )
    }

    private func change(_ single: Int64, _ series: Int64, _ routine: Int64) async throws {
        let call = "PATCH /works/{workId}"
        let own: JSON = ["routineIdList": [.integer(routine)]]
        let moved = Self.shift("2025-11-04", own)
        try await worker.ask(call, single, body: .json(moved))
        try await worker.refused(call, single, body: [:], with: 422, code: "FIELD_422", when: "empty body")
        try await worker.refused(
            call,
            MOUPScenario.missing,
            body: .json(moved),
            with: 404,
            code: "WORK_404",
            when: "unknown id"
        )
        let following = "PATCH /works/recurring/{workId}"
        let weekly = own.merging(["repeatDays": ["WEDNESDAY"], "repeatEndDate": "2025-11-26"])
        let made = try await worker.ask(following, series, body: .json(Self.shift("2025-11-12", weekly)))
        try await worker.refused(
            following,
            single,
            body: .json(Self.shift("2025-11-04", weekly)),
            with: 400,
            code: "COMMON_400",
            when: "single shift"
        )
        guard let last = made["workIdList"]?.elements.last?.integer else { return }
        try await worker.ask("DELETE /works/recurring/{workId}", last)
        let unknown = MOUPScenario.missing
        try await worker.refused(
            "DELETE /works/recurring/{workId}",
            unknown,
            with: 404,
            code: "WORK_404",
            when: "unknown id"
        )
    }

    private func changeByOwner() async throws {
        let repeated: JSON = ["workerIdList": [.integer(id)], "repeatDays": ["FRIDAY"], "repeatEndDate": "2025-10-31"]
        let made = try await owner.ask(
            "POST /workplaces/{workplaceId}/works/batch",
            shop,
            body: .json(Self.shift("2025-10-03", repeated)),
            expecting: 201,
            as: "another series"
        )
        guard let ids = made["successWorkIdList"]?.elements.compactMap(\.integer), ids.count > 1 else { return }
        let list = "/workplaces/{workplaceId}/workers/{workerId}/works"
        let single = Self.shift("2025-10-04")
        try await owner.ask("PATCH \(list)/{workId}", shop, id, ids[0], body: .json(single))
        let missing = MOUPScenario.missing
        try await owner.refused(
            "PATCH \(list)/{workId}",
            shop,
            id,
            missing,
            body: .json(single),
            with: 404,
            code: "WORK_404",
            when: "unknown id"
        )
        try await worker.refused(
            "PATCH \(list)/{workId}",
            shop,
            id,
            ids[0],
            body: .json(single),
            with: 403,
            when: "worker"
        )
        let weekly = Self.shift("2025-10-10", ["repeatDays": ["FRIDAY"], "repeatEndDate": "2025-10-24"])
        try await owner.ask("PATCH \(list)/recurring/{workId}", shop, id, ids[1], body: .json(weekly))
        try await owner.refused(
            "PATCH \(list)/recurring/{workId}",
            shop,
            id,
            missing,
            body: .json(weekly),
            with: 404,
            when: "unknown id"
        )
    }

    private func work() async throws {
        let (start, end) = ("POST \(Self.list)/start", "PATCH \(Self.list)/end")
        try await worker.refused(end, shop, with: 404, code: "WORK_404", when: "does not work")
        try await worker.ask(start, shop)
        try await worker.refused(start, shop, with: 409, code: "WORKING_409", when: "works already")
        try await worker.refused(start, MOUPScenario.missing, with: 404, when: "unknown id")
        try await worker.ask(end, shop)
    }

    /// A shift of today with a routine, without which the list of today's routines is empty.
    private func today(_ routine: Int64) async throws {
        let day = String(
            try await worker.look("/workplaces/\(shop)/workers/me")["myWorkAttendanceInfoList"]?[0]?["workDate"]?.string
                ?? ""
        )
        if day.count == 10 {
            let shift = Self.shift(day, ["routineIdList": [.integer(routine)]])
            // It may overlap with the shift just worked, which is no matter of the list.
            _ = try await worker.send(.post, "/workplaces/\(shop)/workers/me/works", body: .json(shift))
        }
        try await worker.ask("GET /routines/today")
    }

    private func delete(_ single: Int64) async throws {
        let call = "DELETE /works/{workId}"
        try await worker.ask(call, single)
        try await worker.refused(call, single, with: 404, code: "WORK_404", when: "unknown id")
    }
}
