import FoundationEssentials

@testable import Payroll

extension PayRates {
    /// A book in which every rate of the shipped one was wrong: everything that is reckoned with it is another amount.
    static func corrected() throws -> PayRates {
        let text = String(decoding: Payroll.PackageResources.rates_json, as: UTF8.self)
            .replacing(#""parts": 45 "#, with: #""parts": 50 "#)
            .replacing(#""parts": 3545 "#, with: #""parts": 4000 "#)
        return try PayRates(rates: Array(text.utf8), holidays: Payroll.PackageResources.holidays_json)
    }
}
