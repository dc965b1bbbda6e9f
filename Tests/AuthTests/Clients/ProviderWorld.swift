import AsyncHTTPClient
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Auth
@testable import Sandbox

/// The clients of the providers and the sandbox that they call.
struct ProviderWorld: Fixture {
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
        var settings = SandboxConfiguration()
        settings.port = 0
        try await buildSandbox(settings, logger: .quiet).test(.live) { sandbox in
            var settings = ProviderSettings()
            settings.move(to: "http://127.0.0.1:\(sandbox.port ?? 0)")
            adjust(&settings)
            try await body(ProviderWorld(sandbox: sandbox, settings: settings))
        }
    }

    /// Uses a control of the sandbox.
    func control(_ path: String, _ json: String) async throws -> [String: String] {
        let answer = try await sandbox.control(path, json)
        return answer.status == .noContent ? [:] : try answer.json()
    }
}

extension Trait where Self == FixtureTrait<ProviderWorld> {
    static var providers: Self { .fixture { try await ProviderWorld.test({ _ in }, $0) } }
}
