import Contracts
import NIOHTTP1

/// The steps that owners and workers share.
extension MOUPPerson {
    /// Wages with everything on (MOUP contract 3F, S08), paid once a month.
    private static func salary(day: Int) -> String {
        """
        {"salaryType":"SALARY_MONTHLY","salaryCalculation":"SALARY_CALCULATION_HOURLY","hourlyRate":10030,"fixedRate":null,
         "salaryDate":\(day),"salaryDay":"MONDAY","hasNationalPension":true,"hasHealthInsurance":true,
         "hasEmploymentInsurance":true,"hasIndustrialAccident":true,"hasIncomeTax":true,"hasHolidayAllowance":true,
         "hasNightAllowance":true}
        """
    }

    /// Opens a shop; returns its id and its invitation code.
    func openShop() async throws -> (workplace: WorkplaceID, code: String) {
        let shop = """
            {"workplaceName":"언덕카페","categoryName":"카페","address":"서울","latitude":37.5,"longitude":127.0,
             "ownerBasedLabelColor":"NAVY"}
            """
        let workplace: WorkplaceID = try await id("workplaceId", in: send(.POST, "/workplaces", shop, 201))
        struct Code: Decodable { var inviteCode: String }
        let code = try await send(.PUT, "/workplaces/\(workplace)/invite-code", #"{"forceGenerate":false}"#, 201)
            .value(Code.self).inviteCode
        return (workplace, code)
    }

    /// Asks to join a shop; returns the worker's id there.
    ///
    /// - Parameter payDay: of each month.
    func join(_ code: String, payDay: Int = 10) async throws -> WorkerID {
        let join = """
            {"inviteCode":"\(code)","workerBasedLabelColor":"BLUE","salaryCreateRequest":\(Self.salary(day: payDay))}
            """
        return try await id("workerId", in: send(.POST, "/workplaces/join", join, 201))
    }

    /// Joins a shop that the owner opens, and is accepted.
    func work(for owner: MOUPPerson) async throws -> (workplace: WorkplaceID, worker: WorkerID) {
        let (workplace, code) = try await owner.openShop()
        try await send(.GET, "/workplaces/invite-codes/\(code.lowercased())", nil, 200)
        let id = try await join(code)
        try await send(.GET, "/workplaces/\(workplace)/works?baseYearMonth=2025-11", nil, 403)
        try await owner.send(.PATCH, "/workplaces/\(workplace)/workers/\(id)/accept", nil, 204)
        return (workplace, id)
    }
}
