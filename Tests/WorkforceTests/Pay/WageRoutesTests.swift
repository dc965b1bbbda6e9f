import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Workforce

/// Wages in requests and responses.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct WageRoutesTests {
    private var world: WorkforceWorld { .current }

    @Test func wage_showsEveryKey() async throws {
        let id = try await world.personal()
        let text = try await world.client(1).send(.get, "/workplaces/\(id)").text
        for key in [
            "salaryType", "salaryCalculation", "hourlyRate", "fixedRate", "salaryDate", "salaryDay",
            "hasNationalPension", "hasHealthInsurance", "hasEmploymentInsurance", "hasIndustrialAccident",
            "hasIncomeTax", "hasHolidayAllowance", "hasNightAllowance", "incomeTaxMode", "dependents",
            "employedThreeMonthsOrMore",
        ] { #expect(text.contains("\"\(key)\":"), "\(key)") }
    }

    /// The response repeats every value of the request.
    @Test(arguments: ["SALARY_MONTHLY", "SALARY_WEEKLY", "SALARY_DAILY"])
    func wage_isReturnedAsSent(type: String) async throws {
        let more = #","incomeTaxMode":"DAILY_WORKER","dependents":11,"employedThreeMonthsOrMore":true,"other":[1]"#
        let salary = PlacesBodies.salary(
            type: type,
            calculation: "SALARY_CALCULATION_FIXED",
            hourly: "1",
            fixed: "100000000",
            date: "31",
            day: #""SUNDAY""#,
            more: more
        )
        let answer = try await world.client(1).send(
            .post,
            "/workplaces",
            json: PlacesBodies.personal("가게", salary: salary)
        )
        let id = try answer.json([String: WorkplaceID].self)["workplaceId"] ?? 0
        let text = try await world.client(1).send(.get, "/workplaces/\(id)").text
        for member in [
            #""salaryType":"\#(type)""#, #""salaryCalculation":"SALARY_CALCULATION_FIXED""#, #""hourlyRate":1"#,
            #""fixedRate":100000000"#, #""salaryDate":31"#, #""salaryDay":"SUNDAY""#,
            #""incomeTaxMode":"DAILY_WORKER""#, #""dependents":11"#, #""employedThreeMonthsOrMore":true"#,
        ] { #expect(text.contains(member), "\(member)") }
        let plain = PlacesBodies.change(salary: PlacesBodies.salary(date: "null", day: "null"))
        #expect(try await world.client(1).send(.patch, "/workplaces/\(id)", json: plain).status == .noContent)
        let kept = try await world.client(1).send(.get, "/workplaces/\(id)").text
        for member in [
            #""fixedRate":null"#, #""salaryDate":null"#, #""salaryDay":null"#, #""incomeTaxMode":"DAILY_WORKER""#,
            #""dependents":11"#, #""employedThreeMonthsOrMore":true"#,
        ] { #expect(kept.contains(member), "\(member)") }
    }

    static let bad: [String] = [
        PlacesBodies.salary(hourly: "null"), PlacesBodies.salary(hourly: "0"), PlacesBodies.salary(hourly: "-1"),
        PlacesBodies.salary(hourly: "100000001"), PlacesBodies.salary(hourly: "9223372036854775808"),
        PlacesBodies.salary(hourly: "1.5"), PlacesBodies.salary(hourly: #""10030""#), PlacesBodies.salary(fixed: "0"),
        PlacesBodies.salary(calculation: "SALARY_CALCULATION_FIXED"),
        PlacesBodies.salary(calculation: "SALARY_CALCULATION_FIXED", fixed: "100000001"),
        PlacesBodies.salary(calculation: "HOURLY"), PlacesBodies.salary(type: "SALARY_YEARLY"),
        PlacesBodies.salary(date: "0"), PlacesBodies.salary(date: "32"), PlacesBodies.salary(day: #""Monday""#),
        PlacesBodies.salary(more: #","dependents":0"#), PlacesBodies.salary(more: #","dependents":12"#),
        PlacesBodies.salary(more: #","incomeTaxMode":"NONE""#),
        PlacesBodies.salary(more: #","employedThreeMonthsOrMore":1"#),
        PlacesBodies.salary().replacing(#""hasIncomeTax":false,"#, with: ""),
        PlacesBodies.salary().replacing(#""hasIncomeTax":false"#, with: #""hasIncomeTax":null"#), "{}", "7", "null",
    ]

    @Test(arguments: bad) func invalidWage_returns422(salary: String) async throws {
        let created = PlacesBodies.personal("가게", salary: salary)
        #expect(try await world.refusal(1, .post, "/workplaces", json: created) == "422 FIELD_422")
        let id = try await world.personal("다른 가게")
        let change = PlacesBodies.change(salary: salary)
        #expect(try await world.refusal(1, .patch, "/workplaces/\(id)", json: change) == "422 FIELD_422")
        #expect(try await world.refusal(1, .patch, "/workplaces/\(id)/workers/me", json: change) == "422 FIELD_422")
    }
}
