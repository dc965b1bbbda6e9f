import Apps
import Contracts
import Testing

@testable import Gateway

struct PathTreeTests {
    private func tree(_ patterns: [String]) -> PathTree {
        PathTree(
            patterns.enumerated().map { index, pattern in
                (number: index, route: Route(.moup, Operation(.get, pattern, .auth)))
            }
        )
    }

    @Test func find_manyRoutes_findsEach() throws {
        let patterns = (0..<500).flatMap { ["/a\($0)", "/a\($0)/{id}/b"] }
        let tree = tree(patterns)
        for (index, pattern) in patterns.enumerated() {
            let path = pattern.replacing("{id}", with: "7")
            #expect(tree.find(.get, try readTarget(path)).route == index)
        }
        #expect(tree.find(.get, try readTarget("/a500")).route == nil)
    }

    @Test func find_literalWithoutMatch_backtracks() throws {
        let tree = tree(["/a/b/c", "/a/{x}/d", "/{y}/b/e"])
        #expect(tree.find(.get, try readTarget("/a/b/c")).route == 0)
        #expect(tree.find(.get, try readTarget("/a/b/d")).route == 1)
        #expect(tree.find(.get, try readTarget("/a/b/e")).route == 2)
        #expect(tree.find(.get, try readTarget("/q/b/e")).route == 2)
        #expect(tree.find(.get, try readTarget("/a")).route == nil)
    }
}
