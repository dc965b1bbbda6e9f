import AppClients
import Contracts
import Hummingbird
import NIOCore
import TestKit
import Values

@testable import Conformance

/// A server that answers each call of a contract with what the contract says, and knows nothing else: it refuses none.
struct SampleServer: Sendable {
    let contract: Contract

    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await StubService.run(
            { router in
                for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
                    router.on("**", method: method) { request, _ in
                        let answer = answer(method.rawValue, request.uri.path)
                        let body = ResponseBody(byteBuffer: ByteBuffer(string: answer.body))
                        let headers: HTTPFields = [.contentType: answer.type]
                        return Response(status: .init(code: answer.status), headers: headers, body: body)
                    }
                }
            },
            body
        )
    }

    /// What the sandbox answers, so that people can sign in and pay.
    private static let control = """
        {"access_token":"a","authorization_code":"b","identity_token":"c","imp_uid":"imp_1","messages":[{"text":"123456"}]}
        """

    private func answer(_ method: String, _ path: String) -> (status: Int, type: String, body: String) {
        if path.hasPrefix("/_control/") { return (200, "application/json", Self.control) }
        guard let call = call(method, path) else { return (404, "application/json", "{}") }
        let status = call.success.first ?? 200
        switch call.response {
        case .json(let type): return (status, "application/json", type.sample.text)
        case .cases(let cases):
            let members = cases.flatMap(\.type.sample.members)
            return (status, "application/json", JSONTree.object(members).text)
        case .html: return (status, "text/html", "<!doctype html>")
        case .text(let text): return (status, "text/plain", text ?? "text")
        case .bytes: return (status, "image/jpeg", "bytes")
        case .unread: return (status, "text/plain", "")
        }
    }

    /// The call that a path is, with the fewest variables if several fit.
    private func call(_ method: String, _ path: String) -> ContractCall? {
        let segments = path.split(separator: "/")
        let fitting = contract.calls.filter { call in
            let parts = call.path.split(separator: "/")
            let isLong = parts.last?.hasSuffix("path}") == true && segments.count >= parts.count
            guard call.method == method, parts.count == segments.count || isLong else { return false }
            return zip(parts, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return fitting.min { $0.variables.count < $1.variables.count }
    }
}

extension FieldType {
    /// A value of the type.
    var sample: JSONTree {
        switch self {
        case .text(let form): .string(form.sample)
        case .integer(let range): .number("\(range.contains(7) ? 7 : range.lowerBound)")
        case .number: .number("1.5")
        case .boolean: .bool(true)
        case .null: .null
        case .array(let element): .array([element.sample, element.sample])
        case .object(let type): .object(type.fields.map { .init($0.name, $0.type.sample) })
        }
    }
}

extension TextForm {
    var sample: String {
        switch self {
        case .any: "text"
        case .oneOf(let texts): texts[0]
        case .prefixed(let prefix): "\(prefix)X"
        case .atMost: "a"
        case .named(let form): form.sample
        }
    }
}

extension TextForm.Named {
    fileprivate var sample: String {
        switch self {
        case .date: "2025-11-05"
        case .instant: "2025-11-05T13:00:00Z"
        case .milliseconds: "2025-11-05T13:00:00.123Z"
        case .localTime: "2025-11-05T13:00:00"
        case .localFraction: "2025-11-05T13:00:00.123"
        case .localMicroseconds: "2025-11-05T13:00:00.123456"
        case .spacedMinutes: "2025-11-05 13:00"
        case .spacedSeconds: "2025-11-05 13:00:00"
        case .timeOfDay: "13:00"
        case .monthDay: "11.05"
        case .minutesSeconds: "1:30"
        case .digits: "7"
        case .trainKey: "01001성수0"
        case .inviteCode: "2DZBBQ"
        case .token: "e30.eyJleHAiOjF9.e30"
        case .path: "uploads/a.jpg"
        case .longDay: "1월 25일 (토) 오후 2시 30분"
        case .shortDay: "1월 25일"
        case .chipDay: "1/25 (토)"
        case .badge: "D-2"
        case .spaceless: "20~24"
        }
    }
}
