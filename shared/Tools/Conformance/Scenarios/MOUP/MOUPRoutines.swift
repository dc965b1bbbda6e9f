import AppClients

/// Routines of the worker: lists of tasks for shifts.
struct MOUPRoutines {
    let stage: Stage
    let worker: Person

    private static func body(_ name: String) -> JSON {
        [
            "routineName": .string(name), "alarmTime": "08:30",
            "routineTaskList": [["content": "불 켜기", "orderIndex": 0], ["content": "청소", "orderIndex": 1]],
        ]
    }

    func make() async throws -> Int64 {
        let call = "POST /routines"
        let id = try await worker.ask(call, body: .json(Self.body("오픈"))).number("routineId")
        try await worker.refused(
            call,
            body: .json(Self.body("오픈")),
            with: 409,
            code: "ROUTINE_NAME_409",
            when: "name in use"
        )
        try await worker.refused(call, body: .json(Self.body("")), with: 422, code: "FIELD_422", when: "empty name")
        let page = "GET /routines/{routineId}"
        try await worker.ask("GET /routines")
        try await worker.ask(page, id, case: "detail", as: "detail")
        try await worker.ask(page, id, query: "view=summary", case: "summary", as: "summary")
        try await worker.refused(page, MOUPScenario.missing, with: 404, code: "ROUTINE_404", when: "unknown id")
        try await worker.refused(page, 0, with: 400, code: "VARIABLE_400", when: "id 0")
        return id
    }

    func change(_ id: Int64) async throws {
        let call = "/routines/{routineId}"
        try await worker.ask("PATCH \(call)", id, body: .json(Self.body("마감")))
        let unknown = MOUPScenario.missing
        try await worker.refused(
            "PATCH \(call)",
            unknown,
            body: .json(Self.body("x")),
            with: 404,
            code: "ROUTINE_404",
            when: "unknown id"
        )
        try await worker.refused(
            "PATCH \(call)",
            id,
            body: .json(Self.body("")),
            with: 422,
            code: "FIELD_422",
            when: "empty name"
        )
        try await worker.ask("DELETE \(call)", id)
        try await worker.refused("DELETE \(call)", id, with: 404, code: "ROUTINE_404", when: "unknown id")
    }
}
