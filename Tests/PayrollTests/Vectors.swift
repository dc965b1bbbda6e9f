import FoundationEssentials
import Testing

@testable import Payroll

/// A month as it was worked out by hand: `Vectors/months.json`, `Vectors/withholding.json`.
struct MonthVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var month: String
    var cycle: String
    var basis: String
    var rate: Int
    var payWeekday: String?
    var flags: Set<String>
    var fiveOrMore: Bool?
    var taxMode: String?
    /// Date, start in minutes, length in minutes or null, break in minutes.
    var shifts: [Entry]
    /// Amounts by their names.
    var lines: [String: Int]
    /// Gross and net of each shift of the month, in order; a net of null on fixed pay.
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

    var terms: WageTerms {
        var terms = WageTerms(
            cycle: WageTerms.Cycle(rawValue: cycle) ?? .monthly,
            basis: basis == "hourly" ? .hourly : .fixed(rate),
            payWeekday: payWeekday == "friday" ? .friday : nil
        )
        terms.hasPension = flags.contains("NationalPension")
        terms.hasHealth = flags.contains("HealthInsurance")
        terms.hasEmployment = flags.contains("EmploymentInsurance")
        terms.hasIncomeTax = flags.contains("IncomeTax")
        terms.hasFiveOrMoreEmployees = fiveOrMore ?? false
        if taxMode == "BUSINESS_3_3" { terms.taxMode = .business }
        return terms
    }

    var recorded: [Shift] {
        shifts.enumerated().compactMap { number, entry in
            guard let date = CivilDate(entry.date) else { return nil }
            var shift = Shift(
                id: Int64(number),
                date: date,
                start: entry.start,
                length: entry.length,
                rest: entry.rest,
                rate: basis == "hourly" ? rate : 0
            )
            shift.hasNightAllowance = flags.contains("NightAllowance")
            shift.hasWeeklyAllowance = flags.contains("HolidayAllowance")
            return shift
        }
    }

    var civilMonth: CivilMonth {
        CivilDate("\(month)-01")?.month ?? CivilMonth(year: 0, month: 1)
    }

    static let all: [MonthVector] = read("months")

    static func read<Value: Decodable>(_ name: String) -> [Value] {
        let path = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let data = FileManager.default.contents(atPath: "/\(path)/Vectors/\(name).json") ?? Data()
        return (try? JSONDecoder().decode([Value].self, from: data)) ?? []
    }
}
