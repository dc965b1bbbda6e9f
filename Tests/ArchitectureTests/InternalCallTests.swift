import Contracts
import TestKit
import Testing

/// The calls between programs, as the source has them.
@Suite struct InternalCallTests {
    /// The program that a file belongs to; nil for what several share.
    private static func program(_ file: SourceTree.File) -> ProgramName? {
        switch file.folders.first {
        case "gateway": .gateway
        case "services": file.folders.dropFirst().first.flatMap { ProgramName(rawValue: $0.lowercased()) }
        default: file.path.hasPrefix("shared/Tools/Stack/") ? .stack : nil
        }
    }

    @Test func callers_areThoseOfTheTable() {
        for call in InternalCallTable.calls {
            let files = SourceTree.production.filter { file in
                // A service's own routes mention their paths in comments.
                file.lines.contains { $0.contains(call.spelling) && !$0.contains("///") }
            }
            let callers = Set(files.compactMap(Self.program))
            #expect(callers == call.callers, "\(call.route)")
        }
    }

    /// A path of a contract that is called and is in no entry of the table would have no caller that may call it.
    @Test func everyCall_isInTheTable() {
        let shared = [
            "OutboxAPI.", "EventBatch", "/internal/events", "/internal/openapi.json", "/internal/outbox",
            "OperatorsAPI.Data.path",
        ]
        let spellings =
            InternalCallTable.calls.map(\.spelling) + ["AuthAPI.Profile.path", "AuthAPI.AccountLookup.path"]
        let calls = /\b[A-Z][A-Za-z]+API\.(?:[A-Z][A-Za-z]+\.)?path\b|"\/internal\/[^"]*/
        for file in SourceTree.production where !file.path.hasPrefix("shared/Contracts/") {
            guard Self.program(file) != nil || file.path.hasPrefix("shared/Profiles/") else { continue }
            for line in file.lines where !line.contains("///") && !shared.contains(where: line.contains) {
                guard line.contains(calls) else { continue }
                #expect(spellings.contains { line.contains($0) }, "\(file): \(line)")
            }
        }
    }

    /// Routes that name no callers would accept every program.
    @Test func routes_areMountedByServiceRouterOnly() {
        for file in SourceTree.services where file.folders.contains("Routes") {
            let lines = file.lines.filter {
                $0.contains("RouterGroup") || $0.contains(/router\.(?:get|post|put|delete)\(/)
            }
            #expect(lines.isEmpty, "\(file)")
        }
    }
}
