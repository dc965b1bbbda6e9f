import AsyncHTTPClient
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
import ServiceKit

/// Calls of the apps' API, which operators send through the gateway as a person of the initial data. The gateway says who
/// these are, in development only (`/docs/APP.session.json`).
struct APICalls: Sendable {
    /// The gateway's address for phones.
    let gateway: String

    private static let timeout = TimeAmount.seconds(10)
    private static let limit = 1 << 20

    /// How an app's calls are sent.
    struct Session: Decodable, Sendable {
        /// Sent with each call.
        var headers: [String: String]
        /// Precedes the access token in `Authorization`.
        var scheme: String
        var persons: [Person]
    }

    struct Person: Decodable, Sendable {
        var name: String
        /// The call that signs them in.
        var method: String
        var path: String
        var headers: [String: String]
        var body: String
    }

    /// A call that a test has made.
    struct Example: Decodable, Sendable {
        /// With its query.
        var path: String
        /// The media type of a body that is not JSON.
        var type: String?
        /// JSON; empty without one.
        var body: String
    }

    struct Call: Sendable {
        var method: String
        /// With its query.
        var path: String
        /// JSON; empty for none.
        var body: String
    }

    struct Answer: Sendable {
        var status: Int
        /// Finds the call's story.
        var requestID: String?
        var body: String
    }

    /// - Returns: nil if the gateway names no persons, or does not answer.
    func session(of app: App) async -> Session? { await document("session", of: app) }

    /// The recorded calls by operation, as `GET /stations/{stationId}`.
    func examples(of app: App) async -> [String: Example] { await document("examples", of: app) ?? [:] }

    private func document<Content: Decodable>(_ name: String, of app: App) async -> Content? {
        let call = Call(method: "GET", path: "/docs/\(app.rawValue).\(name).json", body: "")
        guard let answer = try? await send(call, headers: [:]), answer.status == 200 else { return nil }
        return try? JSONDecoder().decode(Content.self, from: Data(answer.body.utf8))
    }

    /// Signs a person in, and sends the call as this person.
    ///
    /// - Returns: The answer to the sign-in if that fails.
    func send(_ call: Call, as person: Person, of session: Session) async throws -> Answer {
        let signIn = try await send(
            Call(method: person.method, path: person.path, body: person.body),
            headers: session.headers.merging(person.headers) { $1 }
        )
        let tokens = try? JSONDecoder().decode(Tokens.self, from: Data(signIn.body.utf8))
        guard let token = tokens?.accessToken ?? tokens?.result?.accessToken else { return signIn }
        var headers = session.headers
        headers["Authorization"] = session.scheme + token
        return try await send(call, headers: headers)
    }

    private struct Tokens: Decodable {
        var accessToken: String?
        var result: Result?

        struct Result: Decodable {
            var accessToken: String?
        }
    }

    private func send(_ call: Call, headers: [String: String]) async throws -> Answer {
        var request = HTTPClientRequest(url: gateway + call.path)
        request.method = HTTPMethod(rawValue: call.method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if !call.body.isEmpty {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: call.body))
        }
        let response = try await InternalClient.sharedConnections.execute(request, timeout: Self.timeout)
        return Answer(
            status: Int(response.status.code),
            requestID: response.headers.first(name: "x-request-id"),
            body: String(buffer: try await response.body.collect(upTo: Self.limit))
        )
    }
}
