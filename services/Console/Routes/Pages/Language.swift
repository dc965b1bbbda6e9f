/// The languages of the pages.
enum Language: String, Sendable, CaseIterable {
    case en, ko

    /// - Parameter header: `Accept-Language`; the first of the known languages is taken (RFC 9110, section 12.5.4).
    init(header: String?) {
        let tags = (header ?? "").split(separator: ",").map { $0.prefix { $0 != ";" }.drop { $0 == " " }.prefix(2) }
        self = tags.compactMap { Language(rawValue: $0.lowercased()) }.first ?? .en
    }

    /// The text in this language.
    func callAsFunction(_ english: String, _ korean: String) -> String { self == .en ? english : korean }
}
