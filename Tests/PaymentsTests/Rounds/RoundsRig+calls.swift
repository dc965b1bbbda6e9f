import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1

extension RoundsRig {
    struct Answer: Sendable {
        var status: Int
        var text: String

        func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Value.self, from: Data(text.utf8))
        }
    }

    /// Calls a copy of the service as the gateway would.
    ///
    /// - Parameters:
    ///   - copy: the number of the copy; any number is valid.
    ///   - account: nil for a request without a session.
    ///   - key: the `Idempotency-Key`.
    /// - Returns: nil if the copy was killed before it answered.
    func call(
        _ method: HTTPMethod,
        _ path: String,
        _ json: String = "",
        app: App,
        by account: AccountID? = nil,
        key: String? = nil,
        at copy: Int
    ) async -> Answer? {
        let session = account.map { "session\($0)" }
        let identity = InternalIdentity(caller: "gateway", app: app, account: account, session: session)
        return await call(method, path, json, identity, key, copy)
    }

    /// Calls a copy of the service as an operator's tool would.
    func operate(_ path: String, _ json: String, key: String?, at copy: Int) async -> Answer? {
        await call(.POST, path, json, InternalIdentity(caller: "stack"), key, copy)
    }

    private func call(
        _ method: HTTPMethod,
        _ path: String,
        _ json: String,
        _ identity: InternalIdentity,
        _ key: String?,
        _ copy: Int
    ) async -> Answer? {
        var request = HTTPClientRequest(url: url(copy.isMultiple(of: 2) ? .first : .second) + path)
        request.method = method
        let now = Int64(Date.now.timeIntervalSince1970)
        request.headers.add(name: InternalIdentity.header, value: identity.signed(with: .development, now: now))
        request.headers.add(name: InternalIdentity.clientHeader, value: "203.0.113.7")
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        return try? await send(request, json)
    }

    /// Calls a control of the sandbox.
    func pull(_ path: String, _ json: String) async throws -> Answer {
        var request = HTTPClientRequest(url: url(.sandbox) + "/_control/" + path)
        request.method = .POST
        let answer = try await send(request, json)
        guard (200..<300).contains(answer.status) else { throw Refused(path: path, answer: answer) }
        return answer
    }

    struct Refused: Error {
        var path: String
        var answer: Answer
    }

    private func send(_ request: HTTPClientRequest, _ json: String) async throws -> Answer {
        var request = request
        if !json.isEmpty {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        }
        let answer = try await http.execute(request, timeout: .seconds(30))
        let body = try await answer.body.collect(upTo: 1 << 20)
        return Answer(status: Int(answer.status.code), text: String(buffer: body))
    }
}
