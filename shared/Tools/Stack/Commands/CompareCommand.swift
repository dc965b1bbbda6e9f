import ArgumentParser
import Contracts
import FoundationEssentials
import StackKit
import Values

/// `stack compare`: compares PortOne's payments with the local ones.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares all payments of a week with PortOne, and names every difference.",
        discussion: """
            The payments service does so by itself every night. Differences that PortOne's data resolve are corrected; the
            others need an operator. Exits with 1 if there are any of these.
            Examples:
              stack compare
              stack compare 2026-11-21
            """
    )

    @OptionGroup var options: StackOptions

    @Argument(help: "The last day of the week, in Seoul; today without it.")
    var day: String?

    func validate() throws {
        guard let day, CivilDate(day) == nil else { return }
        throw ValidationError("'\(day)' is no day; write it as 2026-11-21")
    }

    func run() async throws {
        let day = day ?? SeoulTime.date(of: .now).description
        Console.line("comparing the payments of a week …")
        let calls = try options.internalCalls
        var (result, reported) = (try await part(of: day, after: nil, calls), ContinuousClock.now)
        while let next = result.next {
            if ContinuousClock.now - reported > Self.pause {
                Console.progress("compared", "\(result.payments) payments at PortOne")
                reported = .now
            }
            result = try await part(of: day, after: next, calls)
        }
        for entry in result.differences {
            let values = "here \(entry.ours ?? "nothing"), at PortOne \(entry.theirs ?? "nothing")"
            Console.line("\(entry.impUID)  \(entry.kind): \(values)\(entry.isMended ? "; corrected" : "")")
        }
        let left = result.differences.count { !$0.isMended }
        Console.line("\(result.payments) payments, \(result.differences.count) differences, \(left) left")
        if left > 0 { throw ExitCode.failure }
    }

    /// The number of payments of a part, and how often the progress is printed.
    private static let (limit, pause) = (500, Duration.seconds(5))

    private func part(
        of day: String,
        after cursor: String?,
        _ calls: InternalCalls
    ) async throws -> OperatorsAPI.Comparison {
        let path = OperatorsAPI.Comparison.path(day, after: cursor, limit: Self.limit)
        let answer = try await calls.post(.payments, path)
        guard let part = answer.value(as: OperatorsAPI.Comparison.self) else {
            throw StackError("the payments cannot be compared: \(answer.message)")
        }
        return part
    }
}
