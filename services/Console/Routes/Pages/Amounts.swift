import FoundationEssentials
import Values

/// How amounts of money are written on pages.
enum Amounts {
    /// As `30,000 won`; of other currencies in their smallest unit.
    static func text(_ amount: some BinaryInteger, _ language: Language, _ currency: String = "KRW") -> String {
        let number = (amount < 0 ? "-" : "") + amount.magnitude.grouped
        return currency == "KRW"
            ? language("\(number) won", "\(number)원")
            : language("\(number) (smallest unit) \(currency)", "\(number) (최소 단위) \(currency)")
    }

    /// An instant in seconds since 1970; `–` for none.
    static func instant(_ seconds: Double?) -> String {
        seconds.map { Figures.instant(Date(timeIntervalSince1970: $0)) } ?? "–"
    }
}
