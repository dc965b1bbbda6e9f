import Testing

@testable import Gateway

struct RequestTargetTests {
    @Test(
        arguments: [
            ("/", "/"), ("/a", "/a"), ("/a/", "/a"), ("/a?", "/a"), ("/a/?", "/a"), ("/a/?b", "/a?b"),
            ("/path-histories/?size=1", "/path-histories?size=1"),
            ("/%61%2d%7e", "/a-~"), ("/%ea%B0%95", "/%EA%B0%95"), ("/a%20b", "/a%20b"),
            ("/a?x=%2f%2e%2e", "/a?x=%2f%2e%2e"), ("/a?b?c=d/e", "/a?b?c=d/e"), ("/a?q=\"[x]\"", "/a?q=\"[x]\""),
            ("/a//b", "/a//b"), ("/a//", "/a"), ("//", "/"), ("/a;b=c", "/a;b=c"), ("/...", "/..."), ("/.a", "/.a"),
            ("/a%25b", "/a%25b"),
        ]
    )
    func target_isNormalized(_ raw: String, _ clean: String) throws {
        #expect(try readTarget(raw).text == clean)
    }

    @Test(
        arguments: [
            "", "a", "*", "/a#b", "/a%", "/a%2", "/a%zz", "/a%2fb", "/a%2Fb", "/a%5cb", "/a\\b", "/a%00b", "/a%0ab",
            "/a%7fb", "/..", "/a/..", "/a/../b", "/.", "/a/./b", "/%2e%2e/a", "/a/.%2e", "/a/%2E", "/a b", "/a\"b",
            "/a<b", "/강", "/a?b=%00", "/a?b=%", "/a?b=%g1", "/a?b c", "/a?강", "/a?b#c",
        ]
    )
    func invalidTarget_isRefused(_ raw: String) {
        #expect(throws: HTTPFault.target) { try readTarget(raw) }
    }

    @Test(
        arguments: [
            ("/u?nick=Optional(%22x%22)", "/u?nick=x"), ("/u?nick=Optional(\"x\")", "/u?nick=x"),
            ("/u?nick=Optional%28%22x%22%29", "/u?nick=x"), ("/u?a=1&nick=Optional(%22%22)&b=2", "/u?a=1&nick=&b=2"),
            ("/u?from=Optional(%222025-01-01T00:00:00.000Z%22)", "/u?from=2025-01-01T00:00:00.000Z"),
            ("/u?nick=Optional(x)", "/u?nick=Optional(x)"), ("/u?nick=Optional(%22x", "/u?nick=Optional(%22x"),
            ("/u?nick=aOptional(%22x%22)", "/u?nick=aOptional(%22x%22)"),
            ("/u?Optional(%22x%22)", "/u?Optional(%22x%22)"),
            ("/u?nick=Optional(%22)", "/u?nick=Optional(%22)"), ("/u", "/u"),
        ]
    )
    func printedOptionals_areUnwrapped(_ raw: String, _ clean: String) throws {
        var target = try readTarget(raw)
        target.unwrapOptionals()
        #expect(target.text == clean)
    }

    @Test func reparsing_discardsPreviousTarget() throws {
        var target = try readTarget("/a/b/c?long=query")
        target = try readTarget("/d")
        #expect(target.text == "/d")
        #expect(target.segments.count == 1)
        #expect(target.pathEnd == 2)
    }
}
