import FoundationEssentials

@testable import Payroll

extension PayRates {
    /// A rate book with every rate of the shipped one changed: every amount calculated with it differs.
    static func corrected() throws -> PayRates {
        let text = String(decoding: Payroll.PackageResources.rates_json, as: UTF8.self)
            .replacing(#""parts": 45 "#, with: #""parts": 50 "#)
            .replacing(#""parts": 3545 "#, with: #""parts": 4000 "#)
        return try PayRates(rates: Array(text.utf8), holidays: Payroll.PackageResources.holidays_json)
    }
}
