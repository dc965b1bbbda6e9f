import Contracts
import FoundationEssentials
package import Payroll
import Testing
package import Values

/// A month of pay as it was worked out by hand: `Vectors/months.json`; `Vectors/withholding.json` are rows of the table.
package struct MonthVector: Decodable, Sendable, CustomTestStringConvertible {
    package var name: String
    package var month: String
    package var cycle: String
    package var basis: String
    package var rate: Int
    package var payWeekday: String?
    package var flags: Set<String>
    package var fiveOrMore: Bool?
    package var taxMode: String?
    /// Date, start in minutes, length in minutes or null, break in minutes.
    package var shifts: [Entry]
    /// Amounts by their names.
    package var lines: [String: Int]
    /// Gross and net of each shift of the month, in order; a net of null on fixed pay.
    package var perShift: [[Int?]]

    package struct Entry: Decodable, Sendable {
        package var date: String
        package var start: Int
        package var length: Int?
        package var rest: Int

        package init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            date = try container.decode(String.self)
            start = try container.decode(Int.self)
            length = try container.decode(Int?.self)
            rest = try container.decode(Int.self)
        }
    }

    package var testDescription: String { name }

    package var terms: WageTerms {
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

    package var recorded: [Shift] {
        shifts.enumerated().compactMap { number, entry in
            guard let date = CivilDate(entry.date) else { return nil }
            var shift = Shift(
                id: ShiftID(rawValue: Int64(number)),
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

    package var civilMonth: CivilMonth { CivilDate("\(month)-01")?.month ?? CivilMonth(year: 0, month: 1) }

    package static let all: [MonthVector] = read("months")

    package static func read<Value: Decodable>(_ name: String) -> [Value] {
        let path = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let data = FileManager.default.contents(atPath: "/\(path)/Vectors/\(name).json") ?? Data()
        return (try? JSONDecoder().decode([Value].self, from: data)) ?? []
    }
}
