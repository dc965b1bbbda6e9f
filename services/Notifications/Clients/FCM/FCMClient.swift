import AsyncHTTPClient
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
import ServiceKit

/// Sends messages by FCM HTTP v1, with each app's own project.
struct FCMClient: Sendable {
    private let url: String
    private let http: HTTPClient
    private let timeout: Duration
    private let access: [App: FCMAccess]
    private let now: @Sendable () -> Date

    /// Maximum size of a response in bytes.
    private static let answerLimit = 64 * 1024

    /// - Parameter timeout: Timeout of a request.
    init(
        url: String,
        credentials: FCMCredentials,
        timeout: Duration,
        http: HTTPClient,
        now: @escaping @Sendable () -> Date
    ) {
        self.url = url
        self.http = http
        self.timeout = timeout
        self.now = now
        let apps = credentials.apps.map { app in
            (app, FCMAccess(app: app, credentials: credentials, timeout: timeout, http: http, now: now))
        }
        access = Dictionary(uniqueKeysWithValues: apps)
    }

    /// Sends a push, once more with a new token if FCM rejects the current one.
    func send(_ push: Push) async -> PushOutcome {
        guard let access = access[push.app] else { return .refused("the app has no service account") }
        do {
            let grant = try await access.current()
            let body = FCMMessage.body(of: push)
            let answer = try await post(body, by: grant)
            guard answer.isUnauthenticated else { return answer.outcome }
            access.drop(grant)
            return try await post(body, by: access.current()).outcome
        } catch let refusal as FCMAccessRefused {
            return .misconfigured(refusal.reason)
        } catch {
            return .later("\(error)")
        }
    }

    private func post(_ body: String, by grant: FCMAccess.Grant) async throws -> FCMAnswer {
        var request = HTTPClientRequest(url: "\(url)/v1/projects/\(grant.project)/messages:send")
        request.method = .POST
        request.headers = [
            "authorization": "Bearer \(grant.token)", "content-type": "application/json; charset=utf-8",
        ]
        request.body = .bytes(ByteBuffer(string: body))
        return try await measuringCall(of: "Firebase") {
            let response = try await http.execute(request, timeout: TimeAmount(timeout))
            let body = try await response.body.collect(upTo: Self.answerLimit)
            let status = Int(response.status.code)
            let answer = FCMAnswer(
                status: status,
                retryAfter: response.headers.first(name: "retry-after").flatMap { RetryAfter.seconds($0, at: now()) },
                body: Data(body.readableBytesView)
            )
            return (answer, status)
        }
    }
}
