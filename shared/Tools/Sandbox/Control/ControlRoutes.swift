package import Apps
package import Hummingbird
import ServiceKit

/// The controls that are independent of providers: `GET` and `POST /_control/faults`, and `GET /_control/calls`.
struct ControlRoutes: Sendable {
    let state: ScenarioState

    func add(to group: RouterGroup<SandboxContext>) {
        group.get("faults", use: listFaults)
        group.post("faults", use: setFault)
        group.get("calls", use: listCalls)
    }

    private struct FaultRequest: Decodable {
        var provider: String
        var kind: String
        var status: Int?
        var delay: Int?
        var count: Int

        enum CodingKeys: String, CodingKey {
            case provider, kind, status, count
            case delay = "delay_ms"
        }
    }

    private struct FaultList: Encodable {
        var providers: [String]
        var faults: [Fault]

        struct Fault: Encodable {
            var provider: String
            var kind: String
            /// The number of calls that are left.
            var count: Int
            var status: Int?
            var delayMs: Int?

            init(_ provider: String, _ fault: Sandbox.Fault) {
                (self.provider, count) = (provider, fault.count)
                switch fault.kind {
                case .timeout: kind = "timeout"
                case .lost: kind = "lost"
                case .slow(let delay): (kind, delayMs) = ("slow", Int(delay / .milliseconds(1)))
                case .http(let code): (kind, status) = ("http", Int(code.code))
                }
            }
        }
    }

    private func listFaults(_ request: Request, _ context: SandboxContext) throws -> Response {
        let faults = state.allFaults.sorted { $0.key < $1.key }.map { FaultList.Fault($0.key, $0.value) }
        return try .snakeJSON(FaultList(providers: state.names, faults: faults))
    }

    private func setFault(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(FaultRequest.self, context)
        let provider = try known(body.provider)
        guard body.count >= 0 else { throw Problem(.invalid, message: "count must be 0 or more.") }
        state.set(Fault(kind: try kind(body), count: body.count), for: provider)
        return .empty(.noContent)
    }

    private func kind(_ body: FaultRequest) throws -> Fault.Kind {
        switch body.kind {
        case "timeout": return .timeout
        case "lost": return .lost
        case "slow":
            let delay = body.delay ?? 2000
            try Problem.check(delay, "delay_ms", in: 0...600_000)
            return .slow(.milliseconds(delay))
        case "http":
            let status = body.status ?? 503
            guard status == 200 || (400...599).contains(status) else {
                throw Problem(.invalid, message: "status must be 200 or from 400 to 599.")
            }
            return .http(HTTPResponse.Status(code: status))
        default: throw Problem(.invalid, message: "kind must be timeout, lost, slow or http.")
        }
    }

    private func listCalls(_ request: Request, _ context: SandboxContext) throws -> Response {
        let provider = try request.query("provider").map(known)
        return try .snakeJSON(["calls": state.calls(to: provider)])
    }

    private func known(_ provider: String) throws -> String {
        guard state.names.contains(provider) else {
            throw Problem(.invalid, message: "provider must be one of \(state.names.joined(separator: ", ")).")
        }
        return provider
    }
}

extension Problem {
    /// Checks a member of a control's body.
    ///
    /// - Throws: `Problem` that names the member and the range.
    static func check<Value>(_ value: Value, _ name: String, in range: ClosedRange<Value>) throws(Problem) {
        guard range.contains(value) else {
            throw Problem(.invalid, message: "\(name) must be from \(range.lowerBound) to \(range.upperBound).")
        }
    }
}

extension Problem: HTTPResponseError {
    package var status: HTTPResponse.Status { errorResponse(for: nil).status }

    /// The response to an invalid control request, with the message that names the field.
    package func response(from request: Request, context: some RequestContext) throws -> Response {
        try .snakeJSON(["message": message], status: status)
    }
}
