import Contracts
import FoundationEssentials
import TestKit
import Testing

@Suite struct AuthEventsTests {
    @Test func withdrawal_isDecodedFromJSON() throws {
        let event = AuthEvents.AccountWithdrawn(account: 7, app: .seatcatcher)
        let wire = Data(#"{"account":7,"app":"seatcatcher"}"#.utf8)
        #expect(try JSONDecoder().decode(AuthEvents.AccountWithdrawn.self, from: wire) == event)
        #expect(try JSONDecoder().decode(AuthEvents.AccountWithdrawn.self, from: JSONEncoder().encode(event)) == event)
        #expect(AuthEvents.AccountWithdrawn.name == "auth.account-withdrawn")
    }

    @Test func revocation_isDecodedFromJSON() throws {
        let event = AuthEvents.SessionRevoked(account: 7, session: "s", app: .moup)
        let wire = Data(#"{"account":7,"session":"s","app":"moup"}"#.utf8)
        #expect(try JSONDecoder().decode(AuthEvents.SessionRevoked.self, from: wire) == event)
        #expect(try JSONDecoder().decode(AuthEvents.SessionRevoked.self, from: JSONEncoder().encode(event)) == event)
        #expect(AuthEvents.SessionRevoked.name == "auth.session-revoked")
    }

    /// The common key keeps the events of an account in their order.
    @Test func events_areKeyedByAccount() {
        let keys = [
            AuthEvents.AccountRegistered(account: 7, app: .moup, nickname: "a", image: nil).key,
            AuthEvents.ProfileChanged(account: 7, app: .moup, nickname: "a", image: nil, tags: nil).key,
            AuthEvents.SessionRevoked(account: 7, session: "s", app: .moup).key,
            AuthEvents.AccountWithdrawn(account: 7, app: .moup).key,
        ]
        #expect(Set(keys) == ["7"])
    }
}
