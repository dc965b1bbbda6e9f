package import Contracts
import Values

/// The bodies of refusals, of which each app has its own.
package enum RefusalShape {
    /// - Parameters:
    ///   - code: The app's own code that the refusal has to have; nil for any.
    package static func deviations(_ body: [UInt8], of app: App, status: Int, code: String? = nil) -> [Deviation] {
        // The layer in front of MOUP refuses tokens and roles without a body (MOUP contract 1.2).
        if app == .moup, status == 401 || status == 403 && code == nil, body.isEmpty { return [] }
        // SeatCatcher's app reads no refusals, some of which have no body (SeatCatcher contract 1.2).
        if app == .seatcatcher, code == nil { return [] }
        let all = ShapeCheck.deviations(body, from: .json(.object(type(of: app))))
        guard all.isEmpty, let code, let name = codeName(of: app) else { return all }
        let came = (try? JSONTree(parsing: body))?[name]?.string ?? "none"
        return came == code ? [] : [Deviation("$.\(name)", expected: code, came: came)]
    }

    private static func codeName(of app: App) -> String? {
        switch app {
        case .moup, .withsuhyeon: "errorCode"
        case .seatcatcher: "code"
        case .anlaka, .culture: nil
        }
    }

    private static func type(of app: App) -> ObjectType {
        func text(_ name: String) -> ObjectType.Field {
            .init(name: name, type: .text(.any), presence: .required)
        }
        switch app {
        case .seatcatcher: return ObjectType(fields: [text("error"), text("message")])
        case .moup: return ObjectType(fields: [text("errorCode"), text("errorMessage")])
        case .anlaka, .culture: return ObjectType(fields: [text("message")])
        case .withsuhyeon:
            let result = ObjectType.Field(name: "result", type: .null, presence: .required)
            return ObjectType(fields: [text("errorCode"), text("message"), result], isOrdered: true)
        }
    }
}
