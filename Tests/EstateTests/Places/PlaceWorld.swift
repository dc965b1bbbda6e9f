import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Logging
import TestKit
import Testing

@testable import Estate
@testable import Sandbox

/// The estate service with a sandbox in the place of Kakao.
struct PlaceWorld: Fixture {
    let estate: EstateWorld
    let sandbox: any TestClientProtocol

    static func test(
        _ adjust: @escaping @Sendable (inout EstateConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (PlaceWorld) async throws -> Void
    ) async throws {
        try await Self.sandbox { sandbox, url in
            try await EstateWorld.test(
                {
                    $0.kakaoURL = url
                    adjust(&$0)
                },
                { try await body(PlaceWorld(estate: $0, sandbox: sandbox)) }
            )
        }
    }

    static func sandbox(
        _ body: @escaping @Sendable (any TestClientProtocol, _ url: String) async throws -> Void
    ) async throws {
        var settings = SandboxConfiguration()
        settings.port = 0
        try await buildSandbox(settings, logger: .quiet).test(.live) { sandbox in
            try await body(sandbox, "http://127.0.0.1:\(sandbox.port ?? 0)/kakao")
        }
    }

    /// Makes the next calls to Kakao fail; a count of 0 ends that.
    func fail(_ kind: String = "http", status: Int = 503, count: Int = 1000) async throws {
        try await Self.fail(sandbox, kind, status: status, count: count)
    }

    static func fail(_ sandbox: any TestClientProtocol, _ kind: String, status: Int, count: Int) async throws {
        try await sandbox.fail("kakao", #""kind":"\#(kind)","status":\#(status),"count":\#(count)"#)
    }

    /// The calls that Kakao has received, oldest first: `GET /v2/local/search/address.json?page=1&…`.
    func calls() async throws -> [String] { try await sandbox.requests(to: "kakao", withQuery: true) }

    func search(_ query: String, page: String = "1") async throws -> TestResponse {
        try await estate.client(1).send(.get, "/v1/places/search?query=\(Self.encoded(query))&page=\(page)")
    }

    func name(_ longitude: Double, _ latitude: Double) async throws -> TestResponse {
        try await estate.client(1).send(.get, "/v1/places/reverse?longitude=\(longitude)&latitude=\(latitude)")
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

extension Trait where Self == FixtureTrait<PlaceWorld> {
    static var places: Self { .places { _ in } }

    /// - Parameter adjust: changes the settings.
    static func places(_ adjust: @escaping @Sendable (inout EstateConfiguration) -> Void) -> Self {
        .fixture { try await PlaceWorld.test(adjust, $0) }
    }
}
