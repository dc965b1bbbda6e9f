import CoreMetrics
import HTTPTypes
import Payroll
import ServiceKit
import TestKit
import Testing

@testable import Workforce

/// Months whose rates or holidays are not all known.
@Suite(.database(Migrations.all)) struct ProvisionalPayTests {
    private var world: WorkforceWorld { .current }

    @Test(.service(at: "2026-12-20T10:00")) func monthWithoutFinalRates_isMarkedAndCounted() async throws {
        let registry = MetricsRegistry()
        var pay = PayWorld()
        pay.pay = PayrollProjection(provisional: Counter(label: "provisional", dimensions: [], factory: registry))
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, .full)
        // The week of 28 December overlaps January, which has no shift.
        try await pay.work(worker, "2026-12-28", 540, 540, rest: 60)
        #expect(registry.exposition().contains("provisional 0"))
        try await pay.work(worker, "2027-01-05", 540, 540, rest: 60)
        #expect(registry.exposition().contains("provisional 1"))
        for (month, isMarked) in ["2026-12": false, "2027-01": true] {
            let path = "/workplaces/\(place)/workers/me/payslips/\(month)"
            let text = try await world.client(1).send(.get, path).text
            #expect(text.contains(#""PROVISIONAL_RATES""#) == isMarked)
        }
    }
}
