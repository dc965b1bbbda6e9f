import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import Metrics
import ServiceKit

/// What programs report, and invitations for operators.
struct ReportRoutes {
    let domain: ConsoleDomain

    private static let dropped = Counter(label: "console_spans_dropped_total")

    /// `POST /internal/traces` → 200: the spans are stored, or dropped when there is no room.
    func takeSpans(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let json = Self.withoutNUL(try await request.data(context))
        let fragments = try Request.json(TraceReport.self, from: json).fragments
        guard !fragments.isEmpty else { return .empty(.ok) }
        domain.kept.insert(fragments.map(\.trace.trace))
        guard !domain.retention.isFull else {
            Self.dropped.increment(by: fragments.reduce(0) { $0 + $1.spans.count })
            return .empty(.ok)
        }
        try await domain.traces.insert(fragments)
        return .empty(.ok)
    }

    /// PostgreSQL stores no NUL, and a report that it refuses would be repeated for ever.
    private static func withoutNUL(_ json: Data) -> Data {
        let escaped = #"\u0000"#
        // Most reports have none; finding that out by String takes an eighth of the time of a report.
        let hasNUL = json.withUnsafeBytes { bytes in
            bytes.indices.contains { bytes[$0] == UInt8(ascii: "\\") && bytes[$0...].starts(with: escaped.utf8) }
        }
        guard hasNUL else { return json }
        return Data(String(decoding: json, as: UTF8.self).replacing(escaped, with: #"\ufffd"#).utf8)
    }

    /// `GET /internal/traces/kept?after=POSITION` → 200 with the traces that were kept since.
    func kept(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try .json(await domain.kept.next(after: request.query("after")))
    }

    /// `POST /internal/calls` → 200.
    func takeCalls(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let calls = try await request.json(ConsoleAPI.Calls.self, context)
        let isValid = calls.targets.allSatisfy { $0.times.count == ConsoleAPI.Calls.Target.bounds.count + 1 }
        guard isValid else { throw Problem(.invalid, message: "times must have a number for each bound.") }
        try await domain.calls.add(calls)
        try await domain.statements.add(calls.statements ?? [], of: calls.program)
        return .empty(.ok)
    }

    /// `POST /internal/console-invitations` → 200 with the address; 400 for another role, or a name without characters.
    func invite(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let invitation = try await request.json(ConsoleAPI.Invitation.self, context)
        guard let role = OperatorRole(rawValue: invitation.role) else {
            throw Problem(.invalid, message: "role must be look or act.")
        }
        guard (1...50).contains(invitation.name.count) else {
            throw Problem(.invalid, message: "name must have 1 to 50 characters.")
        }
        let token = try await domain.operators.invite(invitation.name, role)
        return try .json(ConsoleAPI.Invitation.Answer(path: "\(Layout.root)/sign-in?token=\(token)"))
    }
}
