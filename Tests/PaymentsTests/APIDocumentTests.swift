import Contracts
import Profiles
import TestKit
import Testing

@testable import Payments

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let differences = try APIDocument.differences(PackageResources.openapi_json, of: .payments) { parts in
            let domain = PaymentsDomain(
                PaymentsConfiguration(database: parts.configuration),
                database: parts.database,
                outbox: parts.outbox,
                people: People(database: parts.database) { _ in nil },
                estate: parts.other,
                community: parts.other
            )
            return Routes(domain, inbox: parts.inbox).add
        }
        #expect(differences == [])
    }
}
