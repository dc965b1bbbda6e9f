import Hummingbird
import HummingbirdTesting
import Logging
import ServiceKit
import Testing

@testable import Sandbox

@Suite struct ControlTests {
    struct CallList: Decodable {
        var calls: [Call]
    }

    @Test func fault_appliesToOrderedCountOfCalls() async throws {
        try await SandboxClient.run { sandbox in
            let order = #"{"provider": "kakao", "kind": "http", "status": 502, "count": 2}"#
            try await sandbox.order(order)
            #expect(try await sandbox.get("/kakao/v2/user/me").status == 502)
            #expect(try await sandbox.get("/apple/auth/keys").status == 200)
            let second = try await sandbox.get("/kakao/v1/user/access_token_info")
            #expect(second.status == 502)
            #expect(try second.decode(KakaoTests.Refusal.self).code == -1)
            #expect(try await sandbox.get("/kakao/v2/user/me").status == 401)
        }
    }

    @Test func fault_withoutStatus_returns503InFormatOfProvider() async throws {
        try await SandboxClient.run { sandbox in
            let order = #"{"provider": "apple", "kind": "http", "count": 1}"#
            try await sandbox.order(order)
            let reply = try await sandbox.get("/apple/auth/keys")
            #expect(reply.status == 503)
            #expect(reply.texts == ["error": "server_error"])
        }
    }

    @Test func fault_countZero_clears() async throws {
        try await SandboxClient.run { sandbox in
            for count in [100, 0] {
                let order = #"{"provider": "apple", "kind": "http", "count": \#(count)}"#
                try await sandbox.order(order)
            }
            #expect(try await sandbox.get("/apple/auth/keys").status == 200)
        }
    }

    @Test func slowFault_delaysResponse() async throws {
        try await SandboxClient.run { sandbox in
            let order = #"{"provider": "apple", "kind": "slow", "delay_ms": 300, "count": 1}"#
            try await sandbox.order(order)
            let start = ContinuousClock.now
            #expect(try await sandbox.get("/apple/auth/keys").status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(300))
        }
    }

    @Test func timeoutFault_sendsNoResponse() async throws {
        try await SandboxClient.run { sandbox in
            let order = #"{"provider": "apple", "kind": "timeout", "count": 1}"#
            try await sandbox.order(order)
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
    }

    @Test func concurrentCalls_getExactCountOfFaults() async throws {
        try await SandboxClient.run { sandbox in
            let order = #"{"provider": "apple", "kind": "http", "count": 30}"#
            try await sandbox.order(order)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await sandbox.get("/apple/auth/keys").status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 503 } == 30)
            #expect(statuses.count { $0 == 200 } == 70)
        }
    }

    @Test func calls_areListedNewestFirst() async throws {
        try await SandboxClient.run { sandbox in
            _ = try await sandbox.get("/apple/auth/keys")
            let form = ["target_id": "42"]
            _ = try await sandbox.post("/kakao/v1/user/unlink?x=1", form: form, authorization: "KakaoAK admin")
            _ = try await sandbox.get("/kakao/v2/user/me")

            let kakao = try await sandbox.get("/_control/calls?provider=kakao").decode(CallList.self).calls
            #expect(kakao.map(\.path) == ["/v2/user/me", "/v1/user/unlink"])
            #expect(kakao.map(\.method) == ["GET", "POST"])
            #expect(kakao.map(\.body) == ["", "target_id=42"])
            #expect(kakao.map(\.query) == ["", "x=1"])
            #expect(kakao.allSatisfy { $0.provider == "kakao" && $0.at.count == "2025-11-21T08:30:00.000Z".count })

            let all = try await sandbox.get("/_control/calls").decode(CallList.self).calls
            #expect(all.map(\.provider) == ["kakao", "kakao", "apple"])
        }
    }

    @Test func callRecords_areBoundedPerProvider() {
        let world = World(names: ["fcm", "sms"])
        func call(_ provider: String, _ body: String) -> Call {
            Call(provider: provider, method: "POST", path: "/", query: "", body: body, at: "")
        }
        world.record(call("sms", "first"))
        for count in 1...5000 { world.record(call("fcm", "\(count)")) }
        world.record(call("sms", "last"))
        #expect(world.calls(to: "sms").map(\.body) == ["last", "first"])
        #expect(world.calls(to: "fcm").first?.body == "5000")
        #expect((1000...2000).contains(world.calls(to: "fcm").count))
        #expect(world.calls(to: nil).map(\.body).prefix(2) == ["last", "5000"])
        #expect(world.calls(to: nil).last?.body == "first")
    }

    @Test func failedCalls_areListed() async throws {
        try await SandboxClient.run { sandbox in
            let order = #"{"provider": "apple", "kind": "http", "count": 1}"#
            try await sandbox.order(order)
            _ = try await sandbox.get("/apple/auth/keys")
            let calls = try await sandbox.get("/_control/calls?provider=apple").decode(CallList.self).calls
            #expect(calls.map(\.path) == ["/auth/keys"])
        }
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
        try await SandboxClient.run { sandbox in
            let reply = try await sandbox.post("/_control/faults", json: request)
            #expect(reply.status == 400)
            #expect(reply.texts["message"]?.contains(field) == true)
            #expect(try await sandbox.get("/apple/auth/keys").status == 200)
        }
    }

    @Test(arguments: [(#"{"nickname": "x"}"#, "id"), (#"{"id": "42"}"#, "id"), (#"{"id": 1, "email": 2}"#, "email")])
    func invalidTokenRequest_namesField(request: String, field: String) async throws {
        try await SandboxClient.run { sandbox in
            let reply = try await sandbox.post("/_control/kakao/tokens", json: request)
            #expect(reply.status == 400)
            #expect(reply.texts["message"]?.contains(field) == true)
        }
    }

    @Test func calls_ofUnknownProvider_namesField() async throws {
        try await SandboxClient.run { sandbox in
            let reply = try await sandbox.get("/_control/calls?provider=naver")
            #expect(reply.status == 400)
            #expect(reply.texts["message"]?.contains("provider") == true)
        }
    }

    @Test func sandbox_inProduction_throws() {
        var configuration = SandboxConfiguration()
        configuration.environment = .production
        #expect(throws: SandboxError.self) { try buildSandbox(configuration, logger: Logger(label: "test")) }
    }

    @Test func healthAndReadiness_return200() async throws {
        try await SandboxClient.run { sandbox in
            for path in ["/healthz", "/readyz"] {
                let reply = try await sandbox.get(path)
                #expect(reply.status == 200)
            }
        }
    }
}

extension SandboxClient {
    /// Orders a fault.
    func order(_ fault: String) async throws {
        let reply = try await post("/_control/faults", json: fault)
        #expect(reply.status == 204)
    }
}
