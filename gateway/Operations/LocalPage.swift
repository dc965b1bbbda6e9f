/// The pages that the gateway serves itself on the public port.
enum LocalPage: Sendable, Equatable {
    /// `GET /health`: SeatCatcher's and MOUP's health check.
    case health
    /// `GET /healthz`: the process is alive.
    case alive
    /// `GET /readyz`: the gateway can serve requests.
    case ready
    /// `GET /openapi.json`: the API of all services as one document.
    case openAPI
    case preflight

    init?(_ method: Method, _ target: RequestTarget) {
        guard method == .get || method == .head, target.segments.count == 1 else { return nil }
        switch target.bytes[..<target.pathEnd] {
        case Self.healthPath: self = .health
        case Self.alivePath: self = .alive
        case Self.readyPath: self = .ready
        case Self.openAPIPath: self = .openAPI
        default: return nil
        }
    }

    private static let healthPath = ArraySlice("/health".utf8)
    private static let alivePath = ArraySlice("/healthz".utf8)
    private static let readyPath = ArraySlice("/readyz".utf8)
    private static let openAPIPath = ArraySlice("/openapi.json".utf8)
}
