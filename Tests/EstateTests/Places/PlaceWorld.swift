import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Synchronization
import TestKit

@testable import Estate
@testable import Sandbox

/// The estate service with a sandbox in the place of Kakao.
struct PlaceWorld: Sendable {
    let estate: EstateWorld
    let sandbox: any TestClientProtocol
    let clock: Clock

    /// The current time, which a test may advance.
    final class Clock: Sendable {
        private let ahead = Mutex(0.0)

        var now: Date { .now + ahead.withLock(\.self) }

        func advance(days: Double) { ahead.withLock { $0 += days * 86_400 } }
    }

    static func test(
        _ adjust: @escaping @Sendable (inout EstateConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (PlaceWorld) async throws -> Void
    ) async throws {
        try await Self.sandbox { sandbox, url in
            let clock = Clock()
            try await EstateWorld.test(
                now: { clock.now },
                {
                    $0.kakaoURL = url
                    adjust(&$0)
                },
                { try await body(PlaceWorld(estate: $0, sandbox: sandbox, clock: clock)) }
            )
        }
    }

    static func sandbox(
        _ body: @escaping @Sendable (any TestClientProtocol, _ url: String) async throws -> Void
    ) async throws {
        var outside = SandboxConfiguration()
        outside.port = 0
        try await buildSandbox(outside, logger: .quiet).test(.live) { sandbox in
            try await body(sandbox, "http://127.0.0.1:\(sandbox.port ?? 0)/kakao")
        }
    }

    /// Makes the next calls to Kakao fail; a count of 0 ends that.
    func fail(_ kind: String = "http", status: Int = 503, count: Int = 1000) async throws {
        try await Self.fail(sandbox, kind, status: status, count: count)
    }

    static func fail(_ sandbox: any TestClientProtocol, _ kind: String, status: Int, count: Int) async throws {
        let order = #"{"provider":"kakao","kind":"\#(kind)","status":\#(status),"count":\#(count)}"#
        try await sandbox.execute(
            uri: "/_control/faults",
            method: .post,
            headers: [.contentType: "application/json"],
            body: ByteBuffer(string: order)
        ) { _ in }
    }

    /// The calls that Kakao has received, oldest first: `/v2/local/search/address.json?page=1&…`.
    func calls() async throws -> [String] {
        struct CallList: Decodable { var calls: [Call] }
        let answer = try await sandbox.execute(uri: "/_control/calls?provider=kakao", method: .get) { $0 }
        return try answer.json(CallList.self).calls.reversed().map { "\($0.path)?\($0.query)" }
    }

    func search(_ query: String, page: String = "1") async throws -> TestResponse {
        try await estate.phone(1).send(.get, "/v1/places/search?query=\(Self.encoded(query))&page=\(page)")
    }

    func name(_ longitude: Double, _ latitude: Double) async throws -> TestResponse {
        try await estate.phone(1).send(.get, "/v1/places/reverse?longitude=\(longitude)&latitude=\(latitude)")
    }

    static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    struct Page: Decodable, Equatable {
        var data: [FoundPlace]
        var isEnd: Bool

        enum CodingKeys: String, CodingKey {
            case data
            case isEnd = "is_end"
        }
    }

    struct Name: Decodable, Equatable {
        var title: String
        var subtitle: String?
        var region: String
        var longitude: Double
        var latitude: Double
    }
}
