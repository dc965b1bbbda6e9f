import Hummingbird
import HummingbirdTesting
import Logging
import ServiceKit
import Testing

@testable import Sandbox

@Suite(.sandbox) struct ControlTests {
    private let sandbox = SandboxClient.current

    @Test func fault_appliesToOrderedCountOfCalls() async throws {
        try await sandbox.fault("http", of: "kakao", status: 502, count: 2)
        #expect(try await sandbox.get("/kakao/v2/user/me").status == 502)
        #expect(try await sandbox.get("/apple/auth/keys").status == 200)
        let second = try await sandbox.get("/kakao/v1/user/access_token_info")
        #expect(second.status == 502)
        #expect(try second.decode(KakaoTests.Refusal.self).code == -1)
        #expect(try await sandbox.get("/kakao/v2/user/me").status == 401)
    }

    @Test func fault_withoutStatus_returns503InFormatOfProvider() async throws {
        try await sandbox.fault("http", of: "apple")
        let reply = try await sandbox.get("/apple/auth/keys")
        #expect(reply.status == 503)
        #expect(reply.texts == ["error": "server_error"])
    }

    @Test func faults_areListedWithTheCallsThatAreLeft() async throws {
        try await sandbox.fault("http", of: "kakao", status: 502, count: 2)
        try await sandbox.fault("slow", of: "apple", delay: 300)
        _ = try await sandbox.get("/kakao/v2/user/me")
        let list = try await sandbox.get("/_control/faults").decode(FaultList.self)
        #expect(list.providers.contains("portone"))
        #expect(list.faults.map(\.provider) == ["apple", "kakao"] && list.faults.map(\.count) == [1, 1])
        #expect(list.faults[0].delayMs == 300 && list.faults[1].status == 502)
    }

    private struct FaultList: Decodable {
        var providers: [String]
        var faults: [Fault]

        struct Fault: Decodable {
            var provider: String
            var count: Int
            var status: Int?
            var delayMs: Int?
        }
    }

    @Test func fault_countZero_clears() async throws {
        for count in [100, 0] {
            try await sandbox.fault("http", of: "apple", count: count)
        }
        #expect(try await sandbox.get("/apple/auth/keys").status == 200)
    }

    @Test func slowFault_delaysResponse() async throws {
        try await sandbox.fault("slow", of: "apple", delay: 300)
        let start = ContinuousClock.now
        #expect(try await sandbox.get("/apple/auth/keys").status == 200)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func timeoutFault_sendsNoResponse() async throws {
        try await sandbox.fault("timeout", of: "apple")
        let status = try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask { try? await sandbox.get("/apple/auth/keys").status }
            group.addTask {
                try await Task.sleep(for: .milliseconds(500))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? 0
        }
        #expect(status == nil)
        #expect(try await sandbox.get("/apple/auth/keys").status == 200)
    }

    @Test func concurrentCalls_getExactCountOfFaults() async throws {
        try await sandbox.fault("http", of: "apple", count: 30)
        let statuses = try await concurrently(100) { _ in try await sandbox.get("/apple/auth/keys").status }
        #expect(statuses.count { $0 == 503 } == 30)
        #expect(statuses.count { $0 == 200 } == 70)
    }

    @Test func calls_areListedNewestFirst() async throws {
        _ = try await sandbox.get("/apple/auth/keys")
        let form = ["target_id": "42"]
        _ = try await sandbox.post("/kakao/v1/user/unlink?x=1", form: form, authorization: "KakaoAK admin")
        _ = try await sandbox.get("/kakao/v2/user/me")

        let kakao = try await sandbox.calls(to: "kakao")
        #expect(kakao.map(\.path) == ["/v2/user/me", "/v1/user/unlink"])
        #expect(kakao.map(\.method) == ["GET", "POST"])
        #expect(kakao.map(\.body) == ["", "target_id=42"])
        #expect(kakao.map(\.query) == ["", "x=1"])
        #expect(kakao.allSatisfy { $0.provider == "kakao" && $0.at.count == "2025-11-21T08:30:00.000Z".count })

        let all = try await sandbox.calls()
        #expect(all.map(\.provider) == ["kakao", "kakao", "apple"])
    }

    @Test func callRecords_areBoundedPerProvider() {
        let state = ScenarioState(names: ["fcm", "sms"])
        func call(_ provider: String, _ body: String) -> Call {
            Call(provider: provider, method: "POST", path: "/", query: "", body: body, at: "")
        }
        state.record(call("sms", "first"))
        for count in 1...5000 { state.record(call("fcm", "\(count)")) }
        state.record(call("sms", "last"))
        #expect(state.calls(to: "sms").map(\.body) == ["last", "first"])
        #expect(state.calls(to: "fcm").first?.body == "5000")
        #expect((1000...2000).contains(state.calls(to: "fcm").count))
        #expect(state.calls(to: nil).map(\.body).prefix(2) == ["last", "5000"])
        #expect(state.calls(to: nil).last?.body == "first")
    }

    @Test func failedCalls_areListed() async throws {
        try await sandbox.fault("http", of: "apple")
        _ = try await sandbox.get("/apple/auth/keys")
        let calls = try await sandbox.calls(to: "apple")
        #expect(calls.map(\.path) == ["/auth/keys"])
    }

    @Test(arguments: [
        (#"{"kind": "http", "count": 1}"#, "provider"),
        (#"{"provider": "naver", "kind": "http", "count": 1}"#, "provider"),
        (#"{"provider": "kakao", "kind": "flood", "count": 1}"#, "kind"),
        (#"{"provider": "kakao", "kind": "http", "status": 302, "count": 1}"#, "status"),
        (#"{"provider": "kakao", "kind": "slow", "delay_ms": -1, "count": 1}"#, "delay_ms"),
        (#"{"provider": "kakao", "kind": "http"}"#, "count"),
        (#"{"provider": "kakao", "kind": "http", "count": -1}"#, "count"),
        (#"{"provider": "kakao", "kind": "http", "count": "1"}"#, "count"),
        (#"{"provider""#, "JSON"),
    ])
    func invalidFault_namesField(request: String, field: String) async throws {
        let reply = try await sandbox.post("/_control/faults", json: request)
        reply.expectRefusal(naming: field)
        #expect(try await sandbox.get("/apple/auth/keys").status == 200)
    }

    @Test(arguments: [
        ("apple/tokens", "{}", "sub"), ("apple/tokens", #"{"sub": ""}"#, "sub"),
        ("apple/tokens", #"{"sub": 1}"#, "sub"),
        ("google/codes", "{}", "sub"), ("google/codes", #"{"sub":""}"#, "sub"), ("google/codes", #"{"sub":1}"#, "sub"),
        ("kakao/tokens", #"{"nickname": "x"}"#, "id"), ("kakao/tokens", #"{"id": "42"}"#, "id"),
        ("kakao/tokens", #"{"id": 1, "email": 2}"#, "email"),
    ])
    func invalidSignIn_namesField(control: String, request: String, field: String) async throws {
        try await sandbox.post("/_control/\(control)", json: request).expectRefusal(naming: field)
    }

    @Test func unknownPath_returns404InFormatOfProvider() async throws {
        let apple = try await sandbox.get("/apple/auth/nothing")
        #expect(apple.status == 404)
        #expect(apple.texts == ["error": "not_found"])
        let kakao = try await sandbox.get("/kakao/v9/nothing")
        #expect(kakao.status == 404)
        #expect(try kakao.decode(KakaoTests.Refusal.self).code == -404)
    }

    @Test func calls_ofUnknownProvider_namesField() async throws {
        let reply = try await sandbox.get("/_control/calls?provider=naver")
        reply.expectRefusal(naming: "provider")
    }

    @Test func sandbox_inProduction_throws() {
        var configuration = SandboxConfiguration()
        configuration.environment = .production
        #expect(throws: SandboxError.self) { try buildSandbox(configuration, logger: Logger(label: "test")) }
    }

    @Test func healthAndReadiness_return200() async throws {
        for path in ["/healthz", "/readyz"] { #expect(try await sandbox.get(path).status == 200) }
    }
}
