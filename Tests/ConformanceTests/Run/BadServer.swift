import AppClients
import Contracts
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestKit

@testable import Conformance

/// A server that answers every request in the same way.
enum BadServer {
    struct Answer: Sendable {
        var status: HTTPResponse.Status = .ok
        var type = "application/json"
        var body = "{}"
        var headers: HTTPFields = [:]
    }

    /// - Parameter answer: Called with each request's path.
    static func run(
        _ answer: @escaping @Sendable (String) -> Answer,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        try await StubService.run(
            { router in
                for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
                    router.on("**", method: method) { request, _ in
                        let answer = answer(request.uri.path)
                        var headers = answer.headers
                        headers[.contentType] = answer.type
                        let body = ResponseBody(byteBuffer: ByteBuffer(string: answer.body))
                        return Response(status: answer.status, headers: headers, body: body)
                    }
                }
            },
            body
        )
    }

    /// An address at which nothing listens.
    static func closedURL() async throws -> String {
        let server = try await ScriptedServer.start(nil)
        try await server.stop()
        return "http://127.0.0.1:\(server.port)"
    }

    /// A user of a server whose calls are an app's.
    static func person(_ app: App, _ url: String) throws -> (person: Person, results: CallResults) {
        let contract = try Contract(of: app)
        let results = CallResults(contract)
        let target = ConformanceTarget(url: url, sandbox: nil)
        return (Stage(contract: contract, target: target, results: results).stranger(), results)
    }
}

extension CallResults {
    func of(_ call: String) -> CallResult? { all.first { $0.call.name == call } }

    /// The places of a call's deviations.
    func places(_ call: String) -> [String] { of(call)?.deviations.map(\.deviation.place) ?? [] }
}
