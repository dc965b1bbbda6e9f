import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import TestKit
import Testing

@testable import Sandbox

/// A sandbox for one test, and short calls of its routes.
struct SandboxClient {
    let client: any TestClientProtocol

    /// The sandbox of the current test; give the test or its suite the trait `.sandbox`.
    static var current: SandboxClient {
        guard let taskLocal else { preconditionFailure("the test has no trait .sandbox") }
        return taskLocal
    }

    @TaskLocal static var taskLocal: SandboxClient?

    /// Runs `body` with a fresh sandbox.
    static func run(
        _ adjust: (inout SandboxConfiguration) -> Void = { _ in },
        _ body: @Sendable (SandboxClient) async throws -> Void
    ) async throws {
        var configuration = SandboxConfiguration()
        // The sandbox's own webhooks must not reach a server that runs on this machine.
        configuration.portOneWebhookURL = ""
        adjust(&configuration)
        let application = try buildSandbox(configuration, logger: .quiet)
        try await TestTimes.measure {
            try await application.test(.router) { try await body(SandboxClient(client: $0)) }
        }
    }

    /// Runs `body` with a fresh sandbox that listens on a port.
    static func runLive(_ body: @Sendable (SandboxClient, _ port: Int) async throws -> Void) async throws {
        var configuration = SandboxConfiguration()
        (configuration.port, configuration.portOneWebhookURL) = (0, "")
        try await buildSandbox(configuration, logger: .quiet).test(.live) { client in
            try await body(SandboxClient(client: client), try #require(client.port))
        }
    }

    /// Calls until a condition holds, without waiting for a response that is not sent.
    ///
    /// - Returns: the response's status; nil without a response.
    static func status(
        of call: @escaping @Sendable () async throws -> Int?,
        until isSo: @escaping @Sendable () async throws -> Bool
    ) async throws -> Int? {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask { try? await call() }
            group.addTask {
                while try await !isSo() { try await Task.sleep(for: .milliseconds(5)) }
                // A response that is sent after all has time to arrive.
                try await Task.sleep(for: .milliseconds(100))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Sets the fault of a provider's next calls.
    func fault(
        _ kind: String,
        of provider: String,
        status: Int? = nil,
        delay: Int? = nil,
        count: Int = 1
    ) async throws {
        let details = [("status", status), ("delay_ms", delay)].map { name, value in
            value.map { #", "\#(name)": \#($0)"# } ?? ""
        }
        let fault = #"{"provider": "\#(provider)", "kind": "\#(kind)", "count": \#(count)\#(details.joined())}"#
        #expect(try await post("/_control/faults", json: fault).status == 204)
    }

    /// The calls that a provider, or all of them, received, newest first.
    func calls(to provider: String? = nil) async throws -> [Call] {
        struct CallList: Decodable {
            var calls: [Call]
        }
        return try await get("/_control/calls\(provider.map { "?provider=\($0)" } ?? "")").decode(CallList.self).calls
    }

    func get(_ path: String, authorization: String? = nil) async throws -> Reply {
        var headers = HTTPFields()
        headers[.authorization] = authorization
        return try await Reply(client.executeRequest(uri: path, method: .get, headers: headers, body: nil))
    }

    func delete(_ path: String) async throws -> Reply {
        try await Reply(client.executeRequest(uri: path, method: .delete, headers: [:], body: nil))
    }

    func post(_ path: String, json: String, authorization: String? = nil) async throws -> Reply {
        try await send(.post, path, json, type: "application/json", authorization)
    }

    func put(_ path: String, json: String, authorization: String? = nil) async throws -> Reply {
        try await send(.put, path, json, type: "application/json", authorization)
    }

    func post(_ path: String, form: [String: String], authorization: String? = nil) async throws -> Reply {
        let text = form.map { "\($0)=\($1)" }.joined(separator: "&")
        return try await send(.post, path, text, type: "application/x-www-form-urlencoded", authorization)
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String,
        type: String,
        _ authorization: String?
    ) async throws -> Reply {
        var headers: HTTPFields = [.contentType: type]
        headers[.authorization] = authorization
        let body = ByteBuffer(string: body)
        return try await Reply(client.executeRequest(uri: path, method: method, headers: headers, body: body))
    }
}

/// Gives each test of a suite a fresh sandbox: `@Suite(.sandbox)`.
struct SandboxTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await SandboxClient.run { sandbox in
            try await SandboxClient.$taskLocal.withValue(sandbox) { try await function() }
        }
    }
}

extension Trait where Self == SandboxTrait {
    /// A fresh sandbox; `SandboxClient.current` in the test.
    static var sandbox: Self { SandboxTrait() }
}

/// Calls a function several times at once.
func concurrently<Value: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (_ index: Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for index in 0..<count { group.addTask { try await body(index) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// A response, with its JSON read by a path of names and indices.
struct Reply: Sendable {
    let status: Int
    let text: String
    let headers: HTTPFields

    init(_ response: TestResponse) {
        status = response.status.code
        text = String(buffer: response.body)
        headers = response.headers
    }

    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(text.utf8))
    }

    /// The refusal of an invalid control request: 400 with a message that names a field.
    func expectRefusal(naming field: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status == 400, sourceLocation: sourceLocation)
        #expect(texts["message"]?.contains(field) == true, sourceLocation: sourceLocation)
    }

    /// An error of the form `{error}`, with more members or without.
    func expectError(_ error: String, status: Int = 400, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, sourceLocation: sourceLocation)
        #expect(texts["error"] == error, sourceLocation: sourceLocation)
    }

    /// The text members of an object.
    var texts: [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))) ?? [:]
    }
}
