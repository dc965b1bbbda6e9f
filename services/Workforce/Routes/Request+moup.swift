import AppWire
import CivilTime
import Hummingbird
import ServiceHost

extension RequestContext {
    /// An id in the path.
    ///
    /// - Throws: `Problem` — `ARGUMENT_400` for what is no number, `VARIABLE_400` for one that is not above 0 (MOUP
    ///   contract 1.1).
    func pathID(_ name: String) throws -> Int64 {
        guard let number = parameters.get(name, as: Int64.self) else {
            throw Problem(.badParameter, message: "\(name) must be a whole number.")
        }
        guard number > 0 else {
            throw Problem(.badParameter, code: "VARIABLE_400", message: "\(name) must be above 0.")
        }
        return number
    }
}

extension Request {
    /// A truth value of the query: `true`, `false`, `1` or `0`.
    ///
    /// - Throws: `Problem` (`ARGUMENT_400`) for anything else.
    func boolQuery(_ name: String, default usual: Bool = false) throws -> Bool {
        switch query(name) {
        case nil: usual
        case "true", "1": true
        case "false", "0": false
        default: throw Problem(.badParameter, message: "\(name) must be true or false.")
        }
    }

    /// Whether `view` asks for the summary; the usual is the detail.
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

    /// Where something new is found, as an absolute address.
    func location(_ path: String) -> String {
        "http://\(head.authority ?? "localhost")\(path)"
    }
}

extension CivilMonth {
    /// `yyyy-MM`; nil for anything else, and for years outside of 2000 to 2099.
    init?(text: String) {
        guard let date = CivilDate("\(text)-01"), (2000..<2100).contains(date.month.year) else { return nil }
        self = date.month
    }
}
