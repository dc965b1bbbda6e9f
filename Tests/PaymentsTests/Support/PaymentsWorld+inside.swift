import Events
import FoundationEssentials
import HummingbirdTesting
import Postgres
import TestKit

@testable import Payments
@testable import Sandbox

extension PaymentsWorld {
    var portOne: PortOneClient {
        PortOneClient(
            url: "http://127.0.0.1:\(sandbox.port ?? 0)/portone",
            key: PaymentsConfiguration.developmentKey,
            secret: PaymentsConfiguration.developmentSecret,
            now: { .now }
        )
    }

    /// A payment as PortOne reports it.
    func report(of impUID: String) async throws -> PaymentReport? { try await portOne.payment(ImpUID(parsing: impUID)) }

    var settlement: PaymentProcessor {
        PaymentProcessor(
            outbox: Outbox(subscribers: []),
            takesTests: true,
            claimWindow: 1800,
            now: { [clock] in clock.now }
        )
    }

    /// Settles a report.
    @discardableResult
    func settle(_ report: PaymentReport) async throws -> PaymentProcessor.Outcome {
        try await database.transaction { try await settlement.settle(report, by: .portOne, in: $0) }
    }
}
