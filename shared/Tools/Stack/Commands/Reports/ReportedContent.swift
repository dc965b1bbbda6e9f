import ArgumentParser
import Contracts
import FoundationEssentials
import NIOHTTP1
import StackKit

/// The arguments that name hidden content.
struct ReportedContent: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case post
        case companionPost = "companion-post"
        case galleryItem = "gallery-item"
    }

    @Argument(help: "The kind of content.")
    var kind: Kind

    @Argument(help: "Its number, from `stack reports list`.")
    var id: Int64

    /// Sends a decision and prints its result.
    func decide(_ decision: String, ignoresReporters: Bool, _ options: StackOptions) async throws {
        let body = try JSONEncoder().encode(ReportsAPI.Decision(ignoresReporters: ignoresReporters))
        let path = ReportsAPI.path(kind.rawValue, ReportedContentID(rawValue: id), decision)
        let answer = try await options.internalCalls.post(.community, path, [UInt8](body))
        guard answer.status == .noContent else { throw StackError("community refuses: \(answer.message)") }
        Console.line("\(kind.rawValue) \(id): \(decision == "restore" ? "shown again" : "stays hidden")")
    }
}
