import Authentication
import Files
import Hummingbird
import InternalClient
import Outbox
import Postgres
import ServiceHost
import TestSupport
import Testing

@testable import Auth

@Suite struct APIDocumentTests {
    @Test func saysWhatIsServed() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = AuthConfiguration(
            database: try PostgresConfiguration(url: "postgres://auth@127.0.0.1/madang", applicationName: "test")
        )
        let database = PostgresClient(configuration.database, logger: .quiet)
        let seats = InternalClient(to: "seats", at: configuration.seatsURLs, from: "auth", secret: .development)
        Routes(
            configuration,
            database: database,
            ring: KeyRing(configuration, database: database, logger: .quiet),
            revocations: RevocationFeed(database: database, lifetimes: configuration.lifetimes),
            links: SocialLinkStore(seal: Seal(secret: "s", purpose: "p")),
            inbox: Inbox(database: database, subscriptions: []),
            seats: seats,
            images: ProfileImages(
                database: database,
                intake: FileIntake(folder: configuration.files.incoming),
                files: LocalFileStore(folder: configuration.files.folder),
                rules: { _ in nil }
            ),
            outbox: Outbox(subscribers: [])
        )
        .add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_yaml).differences(from: router) == [])
    }
}
