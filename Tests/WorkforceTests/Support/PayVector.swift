import FoundationEssentials
import Payroll
import Testing

@testable import Workforce

/// The months that the tests of pay were worked out for, by hand (`Tests/PayrollTests/Vectors/months.json`).
struct PayVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var month: String
    var cycle: String
    var basis: String
    var rate: Int
    var payWeekday: String?
    var flags: Set<String>
    var fiveOrMore: Bool?
    var taxMode: String?
    var shifts: [Entry]
    var lines: [String: Int]
    var perShift: [[Int?]]

    struct Entry: Decodable, Sendable {
        var date: String
        var start: Int
        var length: Int?
        var rest: Int

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            date = try container.decode(String.self)
            start = try container.decode(Int.self)
            length = try container.decode(Int?.self)
            rest = try container.decode(Int.self)
        }
    }

    var testDescription: String { name }

    var wage: Wage {
        let cycle = WageTerms.Cycle(rawValue: cycle) ?? .monthly
        var wage = basis == "hourly" ? Wage.hourly(rate) : Wage.fixed(rate, cycle)
        wage.terms.cycle = cycle
        if payWeekday == "friday" { wage.terms.payWeekday = .friday }
        wage.terms.hasPension = flags.contains("NationalPension")
        wage.terms.hasHealth = flags.contains("HealthInsurance")
        wage.terms.hasEmployment = flags.contains("EmploymentInsurance")
        wage.terms.hasIncomeTax = flags.contains("IncomeTax")
        wage.terms.hasFiveOrMoreEmployees = fiveOrMore ?? false
        if taxMode == "BUSINESS_3_3" { wage.terms.taxMode = .business }
        wage.hasIndustrialAccident = flags.contains("IndustrialAccident")
        wage.hasHolidayAllowance = flags.contains("HolidayAllowance")
        wage.hasNightAllowance = flags.contains("NightAllowance")
        return wage
    }

    static let all: [PayVector] = {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let data = FileManager.default.contents(atPath: "/\(path)/PayrollTests/Vectors/months.json") ?? Data()
        return (try? JSONDecoder().decode([PayVector].self, from: data)) ?? []
    }()
}
