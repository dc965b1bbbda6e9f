import Apps
import Contracts

/// The pages that the gateway serves itself on the public port.
enum LocalPage: Sendable, Equatable {
    /// `GET /health`: SeatCatcher's and MOUP's health check.
    case health
    /// `GET /healthz`: the process is alive.
    case alive
    /// `GET /readyz`: the gateway can serve requests.
    case ready
    /// `GET /openapi.json`: the API of all services as one document. `?app=moup`: that of one app.
    case openAPI(App?)
    /// `GET /docs` and what is below: the API as pages. The path behind `/docs/`, empty for the first page.
    case documentation(String)
    case preflight

    /// - Returns: nil for a request of another path or method.
    /// - Throws: `Problem` for the API document of an unknown app.
    init?(_ method: Method, _ target: RequestTarget) throws(Problem) {
        guard method == .get || method == .head, target.segments.count <= 2 else { return nil }
        let path = target.bytes[..<target.pathEnd]
        guard target.segments.count == 1 else {
            guard path.starts(with: Self.documentationPath), path.count > Self.documentationPath.count + 1,
                path[Self.documentationPath.count] == .slash
            else { return nil }
            self = .documentation(String(decoding: path.dropFirst(Self.documentationPath.count + 1), as: UTF8.self))
            return
        }
        switch path {
        case Self.healthPath: self = .health
        case Self.alivePath: self = .alive
        case Self.readyPath: self = .ready
        case Self.documentationPath: self = .documentation("")
        case Self.openAPIPath: self = try Self.openAPI(target.bytes[target.pathEnd...].dropFirst())
        default: return nil
        }
    }

    /// - Parameter query: Parameters other than `app` are ignored.
    private static func openAPI(_ query: ArraySlice<UInt8>) throws(Problem) -> LocalPage {
        let names = query.split(separator: UInt8(ascii: "&")).filter { $0.starts(with: appParameter) }
        guard let name = names.first else { return .openAPI(nil) }
        let app = App(rawValue: String(decoding: name.dropFirst(appParameter.count), as: UTF8.self))
        guard let app, names.count == 1 else {
            let known = App.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badParameter, message: "app must be one of \(known).")
        }
        return .openAPI(app)
    }

    private static let appParameter = Array("app=".utf8)
    private static let documentationPath = ArraySlice("/docs".utf8)
    private static let healthPath = ArraySlice("/health".utf8)
    private static let alivePath = ArraySlice("/healthz".utf8)
    private static let readyPath = ArraySlice("/readyz".utf8)
    private static let openAPIPath = ArraySlice("/openapi.json".utf8)
}
