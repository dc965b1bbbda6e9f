import Hummingbird
import Logging
import Outbox
import Postgres
import ServiceHost
import TestSupport
import Testing

@testable import Seats

@Suite struct APIDocumentTests {
    @Test func saysWhatIsServed() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = try PostgresConfiguration(url: "postgres://seats@127.0.0.1/madang", applicationName: "test")
        let database = PostgresClient(configuration, logger: .quiet)
        let inbox = Inbox(database: database, subscriptions: [])
        Routes(
            SeatsConfiguration(database: configuration),
            database: database,
            stations: [],
            inbox: inbox,
            logger: .quiet
        ).add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_yaml).differences(from: router) == [])
    }
}
