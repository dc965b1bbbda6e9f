import Authentication
import Contracts
import Events
import Hummingbird
import Postgres
import Profiles
import ServiceKit
import TestKit
import Testing

@testable import Payments

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = try PostgresConfiguration(
            url: "postgres://payments@127.0.0.1/madang",
            applicationName: "test"
        )
        let database = PostgresClient(configuration, logger: .quiet)
        let nobody = InternalClient(to: "nobody", at: ["http://127.0.0.1:9"], from: "payments", secret: .development)
        let domain = PaymentsDomain(
            PaymentsConfiguration(database: configuration),
            database: database,
            outbox: Outbox(subscribers: []),
            people: People(database: database) { _ in nil },
            estate: nobody,
            community: nobody
        )
        let inbox = Inbox(database: database, subscriptions: [])
        Routes(domain, inbox: inbox).add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_json).differences(from: router, of: .payments) == [])
    }
}
