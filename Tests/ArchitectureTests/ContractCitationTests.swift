import Testing

/// Sections of the apps' contracts that comments cite: "Anlaka contract 4.10", "MOUP contract 3D, T12".
@Suite struct ContractCitationTests {
    private static let folders = [
        "SeatCatcher": "SeatCatcher", "MOUP": "MOUP", "Anlaka": "Anlaka", "Culture": "Culture",
        "With Suhyeon": "WithSuhyeon",
    ]

    private static let contracts: [String: String] = {
        let files = SourceTree.files("Contract.md", in: ["shared/Apps"])
        return Dictionary(uniqueKeysWithValues: files.map { (String($0.folders.last ?? ""), $0.text) })
    }()

    /// The text of a contract's section, with those below it; nil when there is none of that number.
    private static func section(_ number: Substring, of text: String) -> String? {
        var section: [Substring] = []
        var level: Int?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let depth = line.prefix { $0 == "#" }.count
            if depth > 0 {
                if let level, depth <= level { break }
                let title = line.dropFirst(depth + 1).prefix { $0.isNumber || $0 == "." || $0.isUppercase }
                let heading = title.hasSuffix(".") ? title.dropLast() : title
                if level == nil, heading == number { level = depth }
            }
            if level != nil { section.append(line) }
        }
        if level != nil { return section.joined(separator: "\n") }
        // A numbered paragraph of the section above: `**3A.11 Home.**`
        return text.contains("**\(number) ") ? String(number) : nil
    }

    @Test func contracts_existForEveryApp() {
        #expect(Set(Self.contracts.keys) == Set(Self.folders.values))
    }

    @Test func citations_leadToSections() throws {
        let citation = /(\d[A-G]?(?:\.\d{1,2})?)(?:, (?:call |item )?([SDTW]?\d+))?/
        var count = 0
        let files = [".swift", ".yaml", ".sql"].flatMap {
            SourceTree.files($0, in: ["services", "gateway", "shared", "Tests"])
        }
        for file in files where file.text.contains("contract") {
            // A citation may go on in the next line of a comment.
            let marks: Set<Character> = ["/", "#", "-", " "]
            let text = file.lines.map { $0.drop(while: marks.contains) }.joined(separator: " ")
            let parts = text.split(separator: " contract ", omittingEmptySubsequences: false)
            for (before, after) in zip(parts, parts.dropFirst()) {
                guard let app = Self.folders.first(where: { before.hasSuffix($0.key) }),
                    let match = after.prefixMatch(of: citation)
                else { continue }
                count += 1
                let contract = try #require(Self.contracts[app.value])
                #expect(Self.section(match.1, of: contract) != nil, "\(file): \(app.key) \(match.0) leads nowhere")
                // A rule with a label of its own, such as `W13`.
                if let item = match.2, item.first?.isUppercase == true {
                    #expect(contract.contains(item), "\(file): \(app.key) \(match.0) leads nowhere")
                }
            }
        }
        #expect(count > 200)
    }
}
