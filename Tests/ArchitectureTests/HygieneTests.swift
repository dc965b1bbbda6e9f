import Testing

/// The content that files may not have, and the limits of their length.
@Suite struct HygieneTests {
    private static let own = SourceTree.production
    private static let all = own + SourceTree.files(".swift", in: ["Tests"])

    @Test func productionCode_doesNotImportFoundation() {
        for file in Self.own {
            #expect(!file.imports.contains("Foundation"), "\(file) imports Foundation; FoundationEssentials is enough")
        }
    }

    @Test func files_areShort() {
        for file in Self.all {
            #expect(file.lines.count <= 400, "\(file) has \(file.lines.count) lines")
        }
        let lengths = Self.own.map(\.lines.count).sorted()
        #expect(lengths[lengths.count / 2] < 90)
    }

    /// Words that stand for a term of the field, which a reader could search for: client, user, request, handler.
    private static let wordsToAvoid: Set = [
        "somebody", "nobody", "everybody", "anybody", "whoever", "desk", "reception", "wish", "wishes", "yard",
    ]

    @Test func comments_useTheTermsOfTheField() {
        for file in Self.own {
            for line in file.lines {
                guard let start = line.firstRange(of: "//")?.lowerBound else { continue }
                // What stands in backticks is a name of the code.
                let prose = line[start...].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " ")
                let words = Set(prose.lowercased().split { !$0.isLetter }.map(String.init))
                #expect(words.isDisjoint(with: Self.wordsToAvoid), "\(file): \(prose)")
            }
        }
    }

    @Test func logMessages_nameComponentAndEvent() throws {
        let levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]
        var messages: [(file: SourceTree.File, text: Substring)] = []
        for file in Self.own where !file.path.hasPrefix("shared/Tools/") && file.text.contains("ogger.") {
            // A message may stand on the line after its call.
            for (line, next) in zip(file.lines, file.lines.dropFirst()) where line.contains("ogger.") {
                guard let level = levels.first(where: { line.contains(".\($0)(") }) else { continue }
                let parts = (line + next).split(separator: ".\(level)(", maxSplits: 1).last?.split(separator: "\"")
                if let parts, parts.count > 1 {
                    messages.append((file, parts[parts[0].allSatisfy(\.isWhitespace) ? 1 : 0]))
                }
            }
        }
        try #require(messages.count > 40)
        for (file, text) in messages { #expect(text.contains(": "), "\(file): \(text)") }
    }

    @Test func files_haveNoMarksForLater() {
        let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "fatal" + "Error(", "not " + "implemented"]
        for file in Self.all {
            for mark in marks { #expect(!file.text.contains(mark), "\(file) has \(mark)") }
        }
    }

    @Test func uncheckedSendable_isUsedInAllowedFilesOnly() {
        let unchecked = Self.own.filter { $0.text.contains("@unchecked " + "Sendable") }
        let allowed: Set = [
            "shared/Postgres/Connection/LibPQ.swift", "shared/Postgres/Connection/PostgresEventLoop.swift",
            "services/Estate/Clustering/Storage.swift",
        ]
        #expect(allowed.isSuperset(of: unchecked.map(\.path)), "\(unchecked)")
        #expect(!Self.own.contains { $0.text.contains("nonisolated" + "(unsafe)") })
    }

    @Test func productionCode_forcesNoTryOrCast() {
        for file in Self.own {
            #expect(!file.text.contains("try" + "! "), "\(file)")
            #expect(!file.text.contains(" as" + "! "), "\(file)")
        }
    }
}
