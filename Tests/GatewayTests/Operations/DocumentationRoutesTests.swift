import Contracts
import FoundationEssentials
import ServiceKit
import TestKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2)))
struct DocumentationRoutesTests {
    /// A gateway with services that have nothing but their API documents.
    private func run(
        without absent: Set<ServiceName> = [],
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ test: (TestGateway) async throws -> Void
    ) async throws {
        var upstreams: [ServiceName: [TestUpstream]] = [:]
        for (service, document) in ServiceDocuments.all where !absent.contains(service) {
            let text = String(decoding: try JSONEncoder().encode(document), as: UTF8.self)
            upstreams[service] = [
                try await TestUpstream.playing { connection in
                    while let request = await connection.readMessage() {
                        let isDocument = request.start.hasPrefix("GET /internal/openapi.json ")
                        try await connection.send(TestUpstream.ok(isDocument ? text : "ready"))
                    }
                }
            ]
        }
        try await TestGateway.run(upstreams, configure: configure) { gateway in
            let expected = Set(App.allCases).subtracting(absent.isEmpty ? [] : [.moup])
            try await eventually("the pages have the operations of all services") {
                for app in expected {
                    let page = try await gateway.call("/docs/\(app.rawValue)")?.body ?? ""
                    if page.contains("role=\"status\"") { return false }
                }
                return true
            }
            try await test(gateway)
        }
    }

    @Test func pages_areServedWithAStrictPolicy() async throws {
        try await run { gateway in
            for path in ["/docs", "/docs/", "/docs/moup", "/docs/withsuhyeon", "/docs/nothing"] {
                let page = try #require(await gateway.call(path))
                #expect(page.status == (path == "/docs/nothing" ? 404 : 200), "\(path)")
                #expect(page["content-type"] == ["text/html; charset=utf-8"])
                let policy = try #require(page["content-security-policy"].first)
                #expect(
                    policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';")
                )
                #expect(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"))
            }
            let style = try #require(await gateway.call("/docs/style.css"))
            #expect(style.status == 200 && style["content-type"] == ["text/css; charset=utf-8"])
            #expect(try await gateway.call("/docs/try.js")?["content-type"] == ["text/javascript; charset=utf-8"])
            #expect(try await gateway.call("/docs/moup", method: "POST")?.status == 404)
            #expect(try await gateway.call("/docs/moup/more")?.status == 404)
        }
    }

    @Test func documents_areOfOneApp() async throws {
        try await run { gateway in
            for app in App.allCases {
                let document = try #require(await gateway.call("/openapi.json?app=\(app.rawValue)"))
                #expect(document.status == 200 && document["content-type"] == ["application/json"])
                let json = try JSONDecoder().decode(JSONValue.self, from: Data(document.body.utf8))
                #expect(json == ServiceDocuments.of(app))
            }
            for query in ["app=nothing", "app=", "app=MOUP", "app=moup&app=anlaka", "x=1&app=%6doup"] {
                let refused = try #require(await gateway.call("/openapi.json?\(query)"))
                #expect(refused.status == 400, "\(query)")
                #expect(refused.body.contains("seatcatcher, moup, anlaka, culture, withsuhyeon"))
            }
            #expect(try await gateway.call("/openapi.json?x=1")?.status == 200)
        }
    }

    @Test func contentThatTheClientHas_isNotSentAgain() async throws {
        try await run { gateway in
            for path in ["/openapi.json", "/openapi.json?app=moup", "/docs", "/docs/moup", "/docs/style.css"] {
                let first = try #require(await gateway.call(path))
                let tag = try #require(first["etag"].first)
                #expect(first["cache-control"] == ["no-cache"])
                let head = try #require(await gateway.call(path, method: "HEAD"))
                #expect(head.status == 200 && head["etag"] == [tag])
                #expect(head["content-length"] == first["content-length"])
                for method in ["GET", "HEAD"] {
                    let known = try #require(
                        await gateway.exchange(
                            "\(method) \(path) HTTP/1.1\r\nHost: h\r\nIf-None-Match: \"x\"\r\n"
                                + "If-None-Match: W/\(tag)\r\nConnection: close\r\n\r\n"
                        )
                    )
                    #expect(known.status == 304 && known["etag"] == [tag] && known["content-length"].isEmpty, "\(path)")
                }
                let changed = try #require(await gateway.call(path, headers: "If-None-Match: \"x\"\r\n"))
                #expect(changed.status == 200 && changed.body == first.body)
            }
            let unknown = try #require(await gateway.call("/docs/nothing", headers: "If-None-Match: *\r\n"))
            #expect(unknown.status == 404 && unknown["etag"].isEmpty)
        }
    }

    @Test func production_hasNoTryIt() async throws {
        try await run(configure: { $0.environment = .production }) { gateway in
            let page = try #require(await gateway.call("/docs/anlaka"))
            #expect(page.status == 200 && page.body.contains("id=\"listOrders\""))
            #expect(!page.body.contains("try.js") && !page.body.contains("anlaka-dev-key"))
            #expect(try await gateway.call("/docs/try.js")?.status == 404)
        }
    }

    @Test func serviceThatIsAway_isNamed() async throws {
        try await run(without: [.workforce]) { gateway in
            let page = try #require(await gateway.call("/docs/moup")).body
            #expect(page.contains("<b>workforce</b>: ") && page.contains("id=\"getProfile\""))
        }
    }
}
