import Events
import Postgres
import Profiles
import TestKit

@testable import Chat

extension ChatDomain {
    /// The domain on the test's database, without the service and its jobs; it asks auth for no profile.
    static var withoutService: ChatDomain {
        let database = TestDatabase.current
        return ChatDomain(
            ChatConfiguration(database: database.configuration),
            database: database.client,
            outbox: Outbox(subscribers: []),
            people: People(database: database.client) { _ in nil },
            logger: .quiet
        )
    }
}
