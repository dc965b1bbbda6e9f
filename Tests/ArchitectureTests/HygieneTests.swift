import Testing

/// What no file may hold, and how long one may be.
@Suite struct HygieneTests {
    private static let own = SourceTree.production
    private static let all = own + SourceTree.files(".swift", in: ["Tests"])

    @Test func foundationIsNotLinked() {
        for file in Self.own {
            #expect(!file.imports.contains("Foundation"), "\(file) imports Foundation; FoundationEssentials is enough")
        }
    }

    @Test func filesAreShort() {
        for file in Self.all {
            #expect(file.lines.count <= 400, "\(file) has \(file.lines.count) lines")
        }
        let lengths = Self.own.map(\.lines.count).sorted()
        #expect(lengths[lengths.count / 2] < 90)
    }

    @Test func nothingIsLeftForLater() {
        let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "fatal" + "Error(", "not " + "implemented"]
        for file in Self.all {
            for mark in marks { #expect(!file.text.contains(mark), "\(file) has \(mark)") }
        }
    }

    @Test func sharedMutableStateIsProvenByTheCompiler() {
        let unchecked = Self.own.filter { $0.text.contains("@unchecked " + "Sendable") }
        let allowed: Set = [
            "shared/Postgres/Connection/LibPQ.swift", "shared/Postgres/Connection/PostgresEventLoop.swift",
            "shared/Clustering/Storage.swift",
        ]
        #expect(allowed.isSuperset(of: unchecked.map(\.path)), "\(unchecked)")
        #expect(!Self.own.contains { $0.text.contains("nonisolated" + "(unsafe)") })
    }

    @Test func nothingIsForced() {
        for file in Self.own {
            #expect(!file.text.contains("try" + "! "), "\(file)")
            #expect(!file.text.contains(" as" + "! "), "\(file)")
        }
    }
}
