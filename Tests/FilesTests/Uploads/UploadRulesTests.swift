import TestKit
import Testing

@testable import Files

@Suite struct UploadRulesTests {
    private static let rules = UploadRules(limit: 1, types: .pictures, prefix: "/data/a/")
    private static let name = "0123456789abcdef0123456789abcdef.webp"

    @Test func path_isPrefixAndName() {
        #expect(Self.rules.path(Self.name) == "/data/a/\(Self.name)")
        #expect(Self.rules.name(in: "/data/a/\(Self.name)") == Self.name)
    }

    @Test(arguments: [
        "", "/data/a/", name, "/data/b/\(name)", "/data/a//\(name)", "/data/a/../a/\(name)", "/data/a/\(name)/",
        "/data/a/\(name)\0", "/data/a/0123456789abcdef0123456789abcdef", "/data/a/0123456789ABCDEF0123456789abcdef.jpg",
        "/data/a/0123456789abcdef0123456789abcde.jpg", "/data/a/0123456789abcdef0123456789abcdef.j",
        "/data/a/0123456789abcdef0123456789abcdef.jpg.jpg", "/data/a/0123456789abcdef0123456789abcdef.한글",
    ])
    func invalidPath_hasNoName(path: String) {
        #expect(Self.rules.name(in: path) == nil)
    }
}
