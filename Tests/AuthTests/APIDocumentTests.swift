import Authentication
import Contracts
import Events
import Hummingbird
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = AuthConfiguration(
            database: try PostgresConfiguration(url: "postgres://auth@127.0.0.1/madang", applicationName: "test")
        )
        let database = PostgresClient(configuration.database, logger: .quiet)
        let seats = InternalClient(to: "seats", at: configuration.seatsURLs, from: "auth", secret: .development)
        let domain = AuthDomain(
            configuration,
            database: database,
            outbox: Outbox(subscribers: []),
            seats: seats,
            community: seats,
            logger: .quiet
        )
        Routes(domain, inbox: Inbox(database: database, subscriptions: [])).add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_json).differences(from: router, of: .auth) == [])
    }
}
