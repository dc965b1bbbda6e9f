import FoundationEssentials
package import Values

/// The legal rates in force in a month: wages, contributions and their limits. They are read from dated data, so that a
/// past month is always calculated with its own rates.
package struct Rates: Sendable, Equatable {
    package var minimumWage: Int
    /// The employee's half (National Pension Act 88).
    package var pension: Fraction
    /// The minimum and maximum monthly income for the pension (Enforcement Decree of the National Pension Act 5).
    package var pensionBase: ClosedRange<Int>
    /// The employee's half (National Health Insurance Act 69, 73, 76).
    package var health: Fraction
    /// The rate on the health contribution (Long-Term Care Insurance Act 9).
    package var longTermCare: Fraction
    /// The employee's share (Employment Insurance Premium Act 13, 14).
    package var employment: Fraction
    /// The employer's share, for fewer than 150 employees.
    package var employersEmployment: Fraction
}

/// Rates and holidays by date.
package struct PayRates: Sendable {
    private let rates: [Dated<File.Entry>]
    private let bases: [Dated<ClosedRange<Int>>]
    private let holidays: Set<CivilDate>
    /// The days of which the data has rates and holidays.
    package let days: ClosedRange<CivilDate>
    /// A hash of all data and of the rules that payslips name; it changes with any rate or text.
    package let revision: String

    /// The data included in this library.
    package static let korean: PayRates = {
        do {
            return try PayRates(rates: PackageResources.rates_json, holidays: PackageResources.holidays_json)
        } catch {
            preconditionFailure("the data of this build cannot be read: \(error)")
        }
    }()

    init(rates: [UInt8], holidays: [UInt8]) throws {
        let file = try JSONDecoder().decode(File.self, from: Data(rates))
        self.rates = try file.rates.map { Dated(from: try Self.date($0.from), value: $0) }
        bases = try file.pensionBases.map { Dated(from: try Self.date($0.from), value: $0.least...$0.most) }
        let holidayFile = try JSONDecoder().decode(HolidayFile.self, from: Data(holidays))
        self.holidays = Set(try holidayFile.holidays.map(Self.date))
        revision = Self.revision(rates, holidays)
        guard let first = self.rates.first, !bases.isEmpty else { throw Unreadable(text: "no rates") }
        let from = max(first.from, try Self.date(holidayFile.from))
        let through = min(try Self.date(file.through), try Self.date(holidayFile.through))
        guard from <= through else { throw Unreadable(text: "no days") }
        days = from...through
    }

    /// Whether rates or holidays of a month are not known: rates that are not yet decided, or a month outside of
    /// `days`. Its amounts are calculated with the nearest rates, and without unknown holidays.
    package func isProvisional(_ month: CivilMonth) -> Bool {
        !days.contains(month.first) || !days.contains(month.last)
            || Self.latest(rates, at: month.first).isProvisional == true
    }

    /// The rates of a month. Months before the first entry use the first one, months after the last entry the last one.
    package func rates(in month: CivilMonth) -> Rates {
        let entry = Self.latest(rates, at: month.first)
        return Rates(
            minimumWage: entry.minimumWage,
            pension: entry.pension,
            pensionBase: Self.latest(bases, at: month.first),
            health: entry.health,
            longTermCare: entry.longTermCare,
            employment: entry.employment,
            employersEmployment: entry.employersEmployment
        )
    }

    /// Whether a day is a statutory holiday (Labor Standards Act 55(2)).
    package func isHoliday(_ date: CivilDate) -> Bool { holidays.contains(date) }

    private static func revision(_ parts: [UInt8]...) -> String {
        var print = Fingerprint()
        for part in parts { print.combine(part) }
        for rule in PayRule.all {
            for text in [rule.code, rule.label, rule.formula, rule.law] { print.combine(Array(text.utf8)) }
        }
        return String(UInt64(bitPattern: print.value), radix: 16)
    }

    /// A value in force from a date on.
    private struct Dated<Value: Sendable>: Sendable {
        var from: CivilDate
        var value: Value
    }

    private static func latest<Value>(_ entries: [Dated<Value>], at date: CivilDate) -> Value {
        (entries.last { $0.from <= date } ?? entries[0]).value
    }

    private static func date(_ text: String) throws -> CivilDate {
        guard let date = CivilDate(text) else { throw Unreadable(text: text) }
        return date
    }

    private struct Unreadable: Error {
        var text: String
    }

    fileprivate struct File: Decodable {
        struct Entry: Decodable, Sendable {
            var from: String
            var minimumWage: Int
            var pension: Fraction
            var health: Fraction
            var longTermCare: Fraction
            var employment: Fraction
            var employersEmployment: Fraction
            /// Whether a rate of the entry is not yet decided, and that of the year before stands in.
            var isProvisional: Bool?
        }

        struct Base: Decodable {
            var from: String
            var least: Int
            var most: Int
        }

        /// The last day of the rates.
        var through: String
        var rates: [Entry]
        var pensionBases: [Base]
    }

    private struct HolidayFile: Decodable {
        /// The first and the last day whose holidays are listed.
        var from: String
        var through: String
        var holidays: [String]
    }
}
