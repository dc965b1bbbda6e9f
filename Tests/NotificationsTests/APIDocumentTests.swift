import AsyncHTTPClient
import Authentication
import Contracts
import Events
import Hummingbird
import Postgres
import Profiles
import ServiceKit
import TestKit
import Testing

@testable import Notifications

@Suite struct APIDocumentTests {
    @Test func document_matchesRoutes() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = try PostgresConfiguration(
            url: "postgres://notifications@127.0.0.1/madang",
            applicationName: "test"
        )
        let database = PostgresClient(configuration, logger: .quiet)
        let domain = NotificationsDomain(
            NotificationsConfiguration(database: configuration),
            database: database,
            outbox: Outbox(subscribers: []),
            people: People(database: database) { _ in nil },
            auth: InternalClient(to: "nobody", at: ["http://127.0.0.1:9"], from: "notifications", secret: .development),
            http: .shared,
            logger: .quiet
        )
        let inbox = Inbox(database: database, subscriptions: [])
        Routes(domain, inbox: inbox).add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_json).differences(from: router, of: .notifications) == [])
    }
}
