import Contracts
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .moneyService) struct PayslipRoutesTests {
    private var world: ConsoleWorld { .current }

    private static let path = "money/payslip?account=71&workplace=3&month=2025-11"

    @Test func memberships_leadToPayslips() async throws {
        let browser = try await world.browser()
        let page = try await browser.get("money/payslip?account=71")
        #expect(page.status == .ok && page.text.contains("&#38;workplace=3&#38;month=") && !page.text.contains("<b>"))
        #expect(try await browser.get("money/payslip?account=72").text.contains("A member of no workplace"))
        for query in ["", "?account=", "?account=%3Cb%3E"] {
            let form = try await browser.get("money/payslip\(query)")
            #expect(form.status == .ok && form.text.contains(#"<label for="account">"#) && !form.text.contains("<b>"))
        }
    }

    @Test(arguments: ["en", "ko"]) func payslip_showsEachFormulaWithItsFigures(language: String) async throws {
        let page = try await world.browser().get(Self.path, language: language)
        #expect(page.status == .ok)
        for part in [
            "기본급", "횟수 × ⌊근로시간 × 시급 ÷ 60⌋", "1회 × ⌊480분 × 10,030원 ÷ 60⌋ = 80,240", "근로기준법 제43조",
            "공휴일 유급휴일수당(미산정)", "계산하지 않았습니다: 2025-11-06", "월소득 80,240원, 요율 9/200 (4.5 %)",
            "근로기준법 제54조", "76,640", "month=2025-10", "month=2025-12",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        #expect(!page.text.contains("<b>") && !page.text.contains("style="))
    }

    @Test func picture_hasARowForEachDay_andShiftsThatPassMidnightOnBoth() async throws {
        let page = try await world.browser().get(Self.path).text
        #expect(page.contains(#"aria-label="The shifts of 2025-11, by day and hour""#))
        #expect(page.matches(of: /class="day"/).count == 30 && page.contains("5 Wed") && page.contains("30 Sun"))
        // Open on the 3rd; from the 5th to the 6th; on the 30th, after which the month ends.
        #expect(page.matches(of: /class="work open"/).count == 1 && page.matches(of: /class="work"/).count == 3)
        #expect(page.matches(of: /class="clocked"/).count == 2 && page.matches(of: /class="night"/).count == 2)
        #expect(page.contains("2025-11-05 22:00–06:00, break 60 min; clocked in 22:01, out 06:01"))
    }

    @Test func unknownMembership_isNotFound_andInvalidMonthIsRefused() async throws {
        let browser = try await world.browser()
        for path in ["account=71&workplace=4&month=2025-11", "account=72&workplace=3&month=2025-11"] {
            #expect(try await browser.get("money/payslip?\(path)").status == .notFound)
        }
        for month in ["2025-13", "1999-01", "%3Cb%3E", "2025-11-05"] {
            let page = try await browser.get("money/payslip?account=71&workplace=3&month=\(month)")
            #expect(page.status == .badRequest && !page.text.contains("<b>"), "\(month)")
        }
    }
}
