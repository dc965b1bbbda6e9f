import Testing
import Values

/// Known defects are built into test stacks only: each at one place, behind one switch.
@Suite struct SabotageTests {
    private static let list = "shared/Values/Sabotage.swift"
    private static let others = SourceTree.production.filter { $0.path != list }

    @Test func eachDefect_isAtOnePlace_ofServicesAndSharedLibraries() {
        let programs = Self.others.filter { !$0.path.hasPrefix("shared/Tools/") }
        for defect in Sabotage.allCases {
            let places = programs.flatMap { file in
                file.lines.filter { $0.contains("Sabotage.\(defect).isBuiltIn") }.map { "\(file): \($0)" }
            }
            #expect(places.count == 1, "\(defect): \(places)")
        }
    }

    @Test func noOtherUse_isInPrograms() {
        let names = Set(Sabotage.allCases.map { "\($0)" })
        for file in Self.others where !file.path.hasPrefix("shared/Tools/") {
            for use in file.text.matches(of: /Sabotage\b(?:\.(\w+)(?:\.(\w+))?)?/) {
                let isKnown = use.output.1.map { names.contains(String($0)) } == true && use.output.2 == "isBuiltIn"
                #expect(isKnown, "\(file): \(use.output.0)")
            }
        }
        for file in Self.others where file.path.hasPrefix("shared/Tools/") {
            #expect(!file.text.contains(".isBuiltIn"), "\(file)")
        }
    }

    @Test func switch_isInOneFile() {
        let word = "#if SABO" + "TAGE"
        let files = (SourceTree.production + SourceTree.files(".swift", in: ["Tests"])).filter {
            $0.text.contains(word)
        }
        #expect(files.map(\.path) == [Self.list])
    }

    @Test func document_namesEach() throws {
        let document = try #require(SourceTree.files("proof.md", in: ["docs"]).first)
        for defect in Sabotage.allCases { #expect(document.text.contains("| `\(defect)` |"), "\(defect)") }
    }
}
