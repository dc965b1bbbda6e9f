import Contracts
import Testing

@testable import Conformance

struct ConformanceReportTests {
    private func results() throws -> [CallResult] {
        let contract = try Contract(of: .culture)
        let results = CallResults(contract)
        results.record("POST /v1/users/join", as: "answer", [])
        results.record("POST /v1/users/join", as: "answer", [])
        results.record("GET /v1/posts", as: "bad cursor", [Deviation("status", expected: "400", came: "200")])
        results.skip("DELETE /v1/posts/{post_id}", because: "it is not there")
        return results.all
    }

    @Test func table_saysHowAndWhy() throws {
        let lines = ConformanceReport.table(try results())
        #expect(lines.contains { $0.contains("✓ POST /v1/users/join") && $0.hasSuffix("answer ×2") })
        #expect(lines.contains { $0.contains("✗ GET /v1/posts ") })
        #expect(lines.contains("      bad cursor: status: expected 400, came 200"))
        #expect(lines.contains { $0.contains("– DELETE /v1/posts/{post_id}") && $0.hasSuffix("it is not there") })
    }

    @Test func sum_countsCalls() throws {
        var report = ConformanceReport()
        report.add(.culture, try results())
        #expect(report.sums.first == "culture: 1 of 30 calls conform, 1 deviates, 28 not asked")
        #expect(report.sums.last == "3 checks, 1 deviations")
        #expect(report.deviations == 1)
        #expect(report.text(of: "http://a").hasPrefix("Conformance of http://a\n"))
    }
}
