import AppClients

/// A workplace of the owner, which the worker joins, and one of the worker alone.
struct MOUPWorkplaceScenario {
    let stage: Stage
    let owner: Person
    let worker: Person

    static let salary: JSON = [
        "salaryType": "SALARY_MONTHLY", "salaryCalculation": "SALARY_CALCULATION_HOURLY", "hourlyRate": 10030,
        "fixedRate": nil, "salaryDate": 10, "salaryDay": "MONDAY", "hasNationalPension": true,
        "hasHealthInsurance": true, "hasEmploymentInsurance": true, "hasIndustrialAccident": true,
        "hasIncomeTax": true, "hasHolidayAllowance": true, "hasNightAllowance": true,
    ]
    private static let place: JSON = [
        "workplaceName": "언덕카페", "categoryName": "카페", "address": "서울 마포구", "latitude": 37.55, "longitude": 126.92,
    ]
    private static let label: JSON = ["workerBasedLabelColor": "BLUE"]

    func play() async throws {
        let shop = try await open()
        let id = try await join(shop)
        try await stage.part("workers") { try await workers(shop, id) }
        try await stage.part("routines") {
            let routines = MOUPRoutines(stage: stage, worker: worker)
            let routine = try await routines.make()
            let shifts = MOUPShiftScenario(stage: stage, owner: owner, worker: worker, shop: shop, id: id)
            try await stage.part("shifts") { try await shifts.play(routine) }
            try await routines.change(routine)
        }
        try await stage.part("home") { try await home() }
        try await stage.part("leaving workplaces") { try await leave(shop, id) }
    }

    /// - Returns: The owner's workplace.
    private func open() async throws -> Int64 {
        let call = "POST /workplaces"
        let theirs = Self.place.merging(["ownerBasedLabelColor": "NAVY"])
        let shop = try await owner.ask(call, body: .json(theirs), as: "owner").number("workplaceId")
        try await owner.refused(call, body: .json(theirs), with: 409, code: "WORKPLACE_NAME_409", when: "name in use")
        let unnamed = theirs.merging(["workplaceName": ""])
        try await owner.refused(call, body: .json(unnamed), with: 422, code: "FIELD_422", when: "empty name")
        let own = Self.place.merging(["workerBasedLabelColor": "RED", "salaryCreateRequest": Self.salary])
        try await owner.refused(call, body: .json(own), with: 403, 400, when: "form of another role")
        let shared = Self.place.merging(["workplaceName": "혼자 가게"]).merging(own)
        let alone = try await worker.ask(call, body: .json(shared), as: "worker").number("workplaceId")
        try await worker.ask("GET /workplaces")
        try await worker.refused(
            "GET /workplaces",
            query: "isSharedOnly=x",
            with: 400,
            code: "ARGUMENT_400",
            when: "bad query"
        )
        let page = "GET /workplaces/{workplaceId}"
        try await worker.ask(page, alone, case: "workerDetail", as: "worker's detail")
        try await owner.ask(page, shop, query: "view=summary", case: "summary", as: "summary")
        try await owner.ask(page, shop, query: "view=detail", case: "ownerDetail", as: "owner's detail")
        try await owner.refused(page, MOUPScenario.missing, with: 404, code: "WORKPLACE_404", when: "unknown id")
        try await owner.refused(page, 0, with: 400, code: "VARIABLE_400", when: "id 0")
        try await owner.refused(page, shop, query: "view=x", with: 400, code: "ARGUMENT_400", when: "unknown view")
        let change = "PATCH /workplaces/{workplaceId}"
        let renamed = theirs.merging(["workplaceName": "언덕 위 카페"])
        try await owner.ask(change, shop, body: .json(renamed), as: "owner")
        let update = Self.place.merging(["workerBasedLabelColor": "RED", "salaryUpdateRequest": Self.salary])
        try await worker.ask(change, alone, body: .json(update), as: "worker")
        try await owner.refused(change, MOUPScenario.missing, body: .json(renamed), with: 404, when: "unknown id")
        let delete = "DELETE /workplaces/{workplaceId}"
        try await worker.ask(delete, alone)
        try await worker.refused(delete, alone, with: 404, code: "WORKPLACE_404", when: "unknown id")
        return shop
    }

    /// - Returns: The worker's id there.
    private func join(_ shop: Int64) async throws -> Int64 {
        let invite = "PUT /workplaces/{workplaceId}/invite-code"
        let forced: RequestBody = ["forceGenerate": false]
        let code = try await owner.ask(invite, shop, body: forced, expecting: 201, as: "new code").text("inviteCode")
        try await owner.ask(invite, shop, body: forced, expecting: 200, as: "the same code")
        try await owner.refused(invite, MOUPScenario.missing, body: forced, with: 404, 403, when: "unknown id")
        let look = "GET /workplaces/invite-codes/{inviteCode}"
        try await worker.ask(look, code)
        try await worker.refused(look, "222222", with: 404, code: "WORKPLACE_404", when: "unknown code")
        try await worker.refused(look, "x", with: 400, code: "VARIABLE_400", when: "no code")
        try await owner.refused(look, code, with: 403, code: "PERMISSION_403", when: "owner")
        func body(_ code: String, _ salary: JSON = Self.salary) -> RequestBody {
            .json(Self.label.merging(["inviteCode": .string(code), "salaryCreateRequest": salary]))
        }
        let join = "POST /workplaces/join"
        try await worker.refused(join, body: body("222222"), with: 404, code: "WORKPLACE_404", when: "unknown code")
        let unpaid = Self.salary.merging(["hourlyRate": nil])
        try await worker.refused(join, body: body(code, unpaid), with: 422, code: "FIELD_422", when: "no rate")
        let first = try await worker.ask(join, body: body(code)).number("workerId")
        try await worker.refused(join, body: body(code), with: 409, code: "WORKER_409", when: "applied already")
        try await owner.ask("DELETE /workplaces/{workplaceId}/workers/{workerId}/accept", shop, first)
        let id = try await worker.ask(join, body: body(code), as: "again").number("workerId")
        let accept = "PATCH /workplaces/{workplaceId}/workers/{workerId}/accept"
        try await owner.ask(accept, shop, id)
        try await owner.refused(accept, shop, MOUPScenario.missing, with: 404, code: "WORKER_404", when: "unknown id")
        try await worker.refused(accept, shop, id, with: 403, code: "PERMISSION_403", when: "worker")
        let reject = "DELETE /workplaces/{workplaceId}/workers/{workerId}/accept"
        try await owner.refused(reject, shop, id, with: 400, code: "DELETE_400", when: "accepted already")
        return id
    }

    private func workers(_ shop: Int64, _ id: Int64) async throws {
        let list = "/workplaces/{workplaceId}/workers"
        try await owner.ask("GET \(list)", shop, query: "isActiveOnly=0")
        try await worker.refused("GET \(list)", shop, with: 403, code: "PERMISSION_403", when: "worker")
        try await worker.ask("GET \(list)/me", shop)
        try await worker.refused("GET \(list)/me", MOUPScenario.missing, with: 404, when: "unknown id")
        try await owner.ask("GET \(list)/{workerId}", shop, id)
        try await owner.refused(
            "GET \(list)/{workerId}",
            shop,
            MOUPScenario.missing,
            with: 404,
            code: "WORKER_404",
            when: "unknown id"
        )
        let own = Self.label.merging(["salaryUpdateRequest": Self.salary])
        try await worker.ask("PATCH \(list)/me", shop, body: .json(own))
        try await worker.refused("PATCH \(list)/me", shop, body: [:], with: 422, code: "FIELD_422", when: "empty body")
        let theirs: JSON = ["ownerBasedLabelColor": "GREEN", "salaryUpdateRequest": Self.salary]
        try await owner.ask("PATCH \(list)/{workerId}", shop, id, body: .json(theirs))
        try await owner.refused(
            "PATCH \(list)/{workerId}",
            shop,
            MOUPScenario.missing,
            body: .json(theirs),
            with: 404,
            when: "unknown id"
        )
    }

    private func home() async throws {
        try await worker.ask("GET /home", case: "worker", as: "worker")
        try await owner.ask("GET /home", case: "owner", as: "owner")
    }

    /// The worker leaves and comes back, to be removed.
    private func leave(_ shop: Int64, _ id: Int64) async throws {
        let list = "/workplaces/{workplaceId}/workers"
        try await worker.ask("DELETE \(list)/me", shop)
        try await worker.refused("DELETE \(list)/me", shop, with: 404, 403, when: "no member")
        let forced: RequestBody = ["forceGenerate": true]
        let code = try await owner.ask("PUT /workplaces/{workplaceId}/invite-code", shop, body: forced, as: "forced")
            .text("inviteCode")
        let body = Self.label.merging(["inviteCode": .string(code), "salaryCreateRequest": Self.salary])
        let again = try await worker.ask("POST /workplaces/join", body: .json(body), as: "after leaving")
            .number("workerId")
        try await owner.ask("PATCH \(list)/{workerId}/accept", shop, again, as: "after leaving")
        try await owner.ask("DELETE \(list)/{workerId}", shop, again)
        try await owner.refused(
            "DELETE \(list)/{workerId}",
            shop,
            MOUPScenario.missing,
            with: 404,
            code: "WORKER_404",
            when: "unknown id"
        )
    }
}
