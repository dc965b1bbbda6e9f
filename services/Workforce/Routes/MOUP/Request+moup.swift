import Apps
import Hummingbird
import ServiceKit
import Values

extension Request {
    /// Whether `view` is `summary`; the default is `detail`.
    ///
    /// - Throws: `Problem` (`ARGUMENT_400`) for another view.
    func wantsSummary() throws -> Bool {
        switch query("view")?.lowercased() {
        case nil, "detail": false
        case "summary": true
        default: throw Problem(.badParameter, message: "view must be detail or summary.")
        }
    }

    /// `baseYearMonth`: `yyyy-MM`, required.
    ///
    /// - Throws: `Problem` (`ARGUMENT_400`).
    func baseYearMonth() throws -> CivilMonth {
        guard let month = query("baseYearMonth").flatMap(CivilMonth.init(text:)) else {
            throw Problem(.badParameter, message: "baseYearMonth must be a month: yyyy-MM.")
        }
        return month
    }

    /// The absolute URL of a new resource.
    func location(_ path: String) -> String {
        "http://\(head.authority ?? "localhost")\(path)"
    }
}

extension CivilMonth {
    /// Parses `yyyy-MM`; returns nil for another format, and for years outside of 2000 to 2099.
    init?(text: String) {
        guard let date = CivilDate("\(text)-01"), (2000..<2100).contains(date.month.year) else { return nil }
        self = date.month
    }
}
