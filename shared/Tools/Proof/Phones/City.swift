package import AppClients
import Contracts

/// Where people live: the gateway that their phones call, the providers, and the diary of their phones.
package struct City: Sendable {
    /// `http://host:port`.
    package let gateway: String
    package let sandbox: SandboxClient
    package let diary: Diary
    package let habits: Habits

    package init(gateway: String, sandbox: String, diary: Diary, habits: Habits) {
        (self.gateway, self.diary, self.habits) = (gateway, diary, habits)
        self.sandbox = SandboxClient(sandbox)
    }
}

extension Phone {
    init(_ name: String, of account: AccountID, in city: City) {
        self.init(name, of: account, diary: city.diary, habits: city.habits)
    }
}
