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

    /// Words that stand for a term of the field, which a reader could search for: client, user, request, timeout.
    private static let wordsToAvoid: Set = [
        "somebody", "nobody", "everybody", "anybody", "whoever", "desk", "reception", "wish", "wishes", "yard", "told",
        "patience", "till",
    ]

    @Test func textAndNames_useTheTermsOfTheField() {
        let others =
            SourceTree.files(".html", in: ["services"]) + SourceTree.files(".yaml", in: ["services"])
            + SourceTree.files(".md", in: ["shared/Apps"]) + SourceTree.files(".py", in: ["Tests"])
            + SourceTree.documents
        #expect(others.count > 20)
        // This file lists the words.
        for file in Self.all + others where !file.path.hasSuffix("/HygieneTests.swift") {
            let lines = file.lines.filter { !Self.words(of: $0).isDisjoint(with: Self.wordsToAvoid) }
            #expect(lines.isEmpty, "\(file)")
        }
    }

    /// The words of a line in lower case; those of a name are separated at its capitals. Names of columns, which have
    /// underscores, are left out: they stand in migrations, which never change.
    private static func words(of line: Substring) -> Set<String> {
        var words: Set<String> = []
        for name in line.split(whereSeparator: { !$0.isLetter && $0 != "_" }) {
            guard !name.contains("_") || name.allSatisfy({ !$0.isLowercase }) else { continue }
            let hasHumps = name.contains(where: \.isLowercase)
            var rest = name
            while let first = rest.first {
                let word = rest.dropFirst().prefix { $0 != "_" && !(hasHumps && $0.isUppercase) }
                words.insert((first == "_" ? "" : first.lowercased()) + word.lowercased())
                rest = rest[word.endIndex...]
            }
        }
        return words
    }

    @Test func words_areThoseOfTextAndNames() {
        #expect(
            Self.words(of: "let toldAt = PORTONE_PATIENCE // it's told_at") == [
                "let", "told", "at", "portone", "patience", "it", "s",
            ]
        )
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

    @Test func metrics_haveHelp() throws {
        let labels = Self.own.filter { !$0.path.hasPrefix("shared/Tools/") }.flatMap { file in
            file.text.matches(of: /(?:\blabel: |\b(?:set|count)\(|\badd\()"([a-z]+(?:_[a-z]+)+)"/).map { String($0.1) }
        }
        try #require(labels.count > 50)
        let help = try #require(Self.own.first { $0.name == "MetricHelp.swift" }?.text)
        for label in labels { #expect(help.contains("\"\(label)\": \""), "\(label)") }
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
