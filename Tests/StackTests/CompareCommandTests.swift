import Contracts
import FoundationEssentials
import Hummingbird
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// `stack compare` against a stub of the payments service, whose comparison has three parts.
@Suite(.timeLimit(.minutes(1))) struct CompareCommandTests {
    private static let day = "2026-11-21"

    private static func part(_ payments: Int, next: String?, _ isMended: [Bool] = []) -> OperatorsAPI.Comparison {
        OperatorsAPI.Comparison(
            day: day,
            isFinished: next == nil,
            startedAt: 1_764_000_000,
            finishedAt: next == nil ? 1_764_000_010 : nil,
            payments: payments,
            differences: isMended.enumerated().map { number, isMended in
                .init(impUID: "imp_\(number)", kind: "amount", ours: "1 KRW", theirs: nil, isMended: isMended)
            },
            next: next
        )
    }

    private func run(_ last: OperatorsAPI.Comparison?) async throws -> (isSuccess: Bool, text: String) {
        let answers: [String?: OperatorsAPI.Comparison?] = [
            nil: Self.part(500, next: "1.portone.1x500"),
            "1.portone.1x500": Self.part(731, next: "1.payments.imp_9"),
            "1.payments.imp_9": last,
        ]
        let (result, end) = AsyncStream.makeStream(of: (isSuccess: Bool, text: String).self)
        try await StubService.run { router in
            router.post("internal/comparisons/\(Self.day)") { request, _ in
                let parameters = request.uri.queryParameters
                guard parameters["limit"] == "500",
                    let answer = answers[parameters["after"].map(String.init)] ?? nil
                else { throw HTTPError(.notFound, message: "There is no such comparison.") }
                return try Router<BasicRequestContext>.json(answer)
            }
        } _: { address in
            let command = try await Subprocess.run(
                .path(FilePath("\(Executables.folder)/stack")),
                arguments: ["compare", Self.day],
                environment: .inherit.updating(["PAYMENTS_PORT": String(address.split(separator: ":")[2])]),
                output: .string(limit: 1 << 20),
                error: .combinedWithOutput
            )
            end.yield((command.terminationStatus.isSuccess, command.standardOutput))
        }
        return try #require(await result.first { _ in true })
    }

    @Test func parts_areAskedForUntilTheLast_whoseTotalsArePrinted() async throws {
        let corrected = try await run(Self.part(731, next: nil, [true]))
        #expect(
            corrected.isSuccess && corrected.text.contains("imp_0  amount: here 1 KRW, at PortOne nothing; corrected")
        )
        #expect(corrected.text.hasSuffix("731 payments, 1 differences, 0 left\n"), "\(corrected.text)")
        let left = try await run(Self.part(731, next: nil, [true, false]))
        #expect(!left.isSuccess && left.text.contains("731 payments, 2 differences, 1 left"), "\(left.text)")
    }

    @Test func comparisonThatGoesOnElsewhere_isSaid() async throws {
        let lost = try await run(nil)
        #expect(!lost.isSuccess && lost.text.contains("the payments cannot be compared: "), "\(lost.text)")
        #expect(!lost.text.contains("left"))
    }
}
