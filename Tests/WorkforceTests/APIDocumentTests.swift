import Contracts
import Events
import Hummingbird
import Logging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Workforce

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = try PostgresConfiguration(
            url: "postgres://workforce@127.0.0.1/madang",
            applicationName: "test"
        )
        let database = PostgresClient(configuration, logger: .quiet)
        let domain = WorkforceDomain(
            WorkforceConfiguration(database: configuration),
            database: database,
            outbox: Outbox(subscribers: [])
        ) { _ in nil }
        Routes(domain, inbox: Inbox(database: database, subscriptions: [])).add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_json).differences(from: router, of: .workforce) == [])
    }
}
