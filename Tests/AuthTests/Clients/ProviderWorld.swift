import AsyncHTTPClient
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit

@testable import Auth
@testable import Sandbox

/// The clients of the providers and the sandbox that they call.
struct ProviderWorld: Sendable {
    let sandbox: any TestClientProtocol
    let settings: ProviderSettings

    var apple: AppleClient { AppleClient(settings, http: .shared) }
    var google: GoogleClient { GoogleClient(settings, http: .shared) }
    var kakao: KakaoClient { KakaoClient(settings, http: .shared) }
    var sms: SMSClient { SMSClient(settings, http: .shared) }

    static func test(
        _ adjust: @escaping @Sendable (inout ProviderSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (ProviderWorld) async throws -> Void
    ) async throws {
        var outside = SandboxConfiguration()
        outside.port = 0
        try await buildSandbox(outside, logger: .quiet).test(.live) { sandbox in
            var settings = ProviderSettings()
            settings.move(to: "http://127.0.0.1:\(sandbox.port ?? 0)")
            adjust(&settings)
            try await body(ProviderWorld(sandbox: sandbox, settings: settings))
        }
    }

    /// Calls a control of the sandbox.
    func control(_ path: String, _ json: String) async throws -> [String: String] {
        let answer = try await sandbox.execute(
            uri: "/_control/\(path)",
            method: .post,
            headers: [.contentType: "application/json"],
            body: ByteBuffer(string: json)
        ) { $0 }
        return answer.status == .noContent ? [:] : try answer.json()
    }

    /// The calls that a provider received, oldest first: `POST /auth/revoke`.
    func calls(_ provider: String) async throws -> [String] {
        struct CallList: Decodable {
            var calls: [Call]
        }
        let answer = try await sandbox.execute(uri: "/_control/calls?provider=\(provider)", method: .get) { $0 }
        return try answer.json(CallList.self).calls.reversed().map { "\($0.method) \($0.path)" }
    }
}
