import StackKit

extension Scenario {
    /// A month of work: an owner opens a shop, hires and plans shifts, and both see the month's pay, line by line.
    ///
    /// - Parameters:
    ///   - worker, owner: Phones with a signed-in user of that role.
    static func workMonth(worker: Phone, owner: Phone) async throws {
        let shop = try await owner.send(
            "The owner opens a shop.",
            .post,
            "/workplaces",
            body: [
                "workplaceName": "언덕카페", "categoryName": "카페", "address": "서울 마포구", "latitude": 37.55,
                "longitude": 126.92, "ownerBasedLabelColor": "NAVY",
            ],
            expecting: 201
        ).number("workplaceId")
        let code = try await owner.send(
            "The owner asks for a code to hire with; it is good for ten minutes.",
            .put,
            "/workplaces/\(shop)/invite-code",
            body: ["forceGenerate": false],
            expecting: 201
        ).text("inviteCode")
        let id = try await worker.send(
            "The worker joins with the code, and says how the work is paid.",
            .post,
            "/workplaces/join",
            body: ["inviteCode": .string(code), "workerBasedLabelColor": "BLUE", "salaryCreateRequest": salary],
            expecting: 201
        ).number("workerId")
        try await owner.send(
            "The owner accepts.",
            .patch,
            "/workplaces/\(shop)/workers/\(id)/accept",
            expecting: 204
        )
        try await owner.send(
            "The owner plans November: Monday to Friday, nine to six, an hour of break.",
            .post,
            "/workplaces/\(shop)/works/batch",
            body: [
                "workerIdList": [.integer(id)], "startTime": "2025-11-03T00:00:00Z", "endTime": "2025-11-03T09:00:00Z",
                "restTimeMinutes": 60,
                "repeatDays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"], "repeatEndDate": "2025-11-28",
            ],
            expecting: 201
        )
        try await worker.send(
            "The worker's calendar has it.",
            .get,
            "/workplaces/\(shop)/workers/me/works?baseYearMonth=2025-11"
        )
        try await worker.send(
            "The worker clocks in today, without a plan.",
            .post,
            "/workplaces/\(shop)/workers/me/works/start",
            expecting: 201
        )
        try await owner.send("The owner sees who is there.", .get, "/workplaces/\(shop)/workers/\(id)")
        try await worker.send(
            "The worker clocks out.",
            .patch,
            "/workplaces/\(shop)/workers/me/works/end",
            expecting: 204
        )
        let own = try await worker.send(
            "The worker asks what November paid, and why.",
            .get,
            "/workplaces/\(shop)/workers/me/payslips/2025-11"
        )
        guard let ownSlip = own["payslip"] else { throw StackError("there is no payslip") }
        for line in PayslipText.lines(ownSlip) { worker.tell("      \(line)") }
        let theirs = try await owner.send(
            "The owner asks the same, and what it costs.",
            .get,
            "/workplaces/\(shop)/workers/\(id)/payslips/2025-11"
        )
        guard let ownersSlip = theirs["payslip"] else { throw StackError("there is no payslip") }
        for line in PayslipText.lines(ownersSlip, withCosts: true) { owner.tell("      \(line)") }
        guard ownSlip == ownersSlip, ownSlip["netIncome"] == .integer(1_725_370) else {
            throw StackError("the payslips are not what the month comes to")
        }
    }

    private static let salary: JSON = [
        "salaryType": "SALARY_MONTHLY", "salaryCalculation": "SALARY_CALCULATION_HOURLY", "hourlyRate": 10030,
        "salaryDate": 10, "hasNationalPension": true, "hasHealthInsurance": true, "hasEmploymentInsurance": true,
        "hasIndustrialAccident": true, "hasIncomeTax": true, "hasHolidayAllowance": true, "hasNightAllowance": true,
    ]
}

/// A payslip as text.
enum PayslipText {
    /// One line per amount: label, amount, calculation and legal basis.
    static func lines(_ slip: JSON, withCosts: Bool = false) -> [String] {
        var lines = rows(slip["earnings"]) + [total("지급총액", slip["grossIncome"])]
        lines += rows(slip["deductions"]) + [total("공제총액", slip["totalDeductions"])]
        lines.append(total("실수령액", slip["netIncome"]))
        guard withCosts else { return lines }
        return lines + rows(slip["employerCosts"]) + [total("인건비", slip["labourCost"])]
    }

    private static func rows(_ list: JSON?) -> [String] {
        (list?.elements ?? []).map { line in
            let name = line["label"]?.string ?? ""
            let why = [line["formula"], line["law"]].compactMap { $0?.string }.joined(separator: " · ")
            return "\(amount(line["amount"]))  \(name)  (\(why))"
        }
    }

    private static func total(_ name: String, _ value: JSON?) -> String { "\(amount(value))  = \(name)" }

    /// A right-aligned amount: `1,925,760원`.
    private static func amount(_ value: JSON?) -> String {
        let digits = String(value?.integer ?? 0)
        let groups = stride(from: digits.count, to: 0, by: -3).map { digits.prefix($0).suffix(3) }
        let text = groups.reversed().joined(separator: ",") + "원"
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }
}
