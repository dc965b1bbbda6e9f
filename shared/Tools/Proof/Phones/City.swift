package import AppClients
import Contracts

/// Where people live: the gateways that their phones call, the providers, and the diary of their phones.
package struct City: Sendable {
    /// As `http://host:port`.
    private let gateways: [String]
    /// Addresses of auth, which takes a request there as one that another gateway has passed.
    let auths: @Sendable () -> [String]
    package let sandbox: SandboxClient
    package let diary: Diary
    package let habits: Habits

    /// - Parameters:
    ///   - gateways: At least one.
    ///   - auths: None while they are not known.
    package init(
        gateways: [String],
        auths: @escaping @Sendable () -> [String],
        sandbox: String,
        diary: Diary,
        habits: Habits
    ) {
        (self.gateways, self.auths, self.diary, self.habits) = (gateways, auths, diary, habits)
        self.sandbox = SandboxClient(sandbox)
    }

    /// The gateway of a phone: phones are spread over all, and each stays with its own.
    func gateway(of phone: String) -> String {
        gateways[phone.utf8.reduce(0) { $0 + Int($1) } % gateways.count]
    }
}

extension Phone {
    init(_ name: String, of account: AccountID, in city: City, renewal: Renewal? = nil) {
        self.init(name, of: account, diary: city.diary, habits: city.habits, renewal: renewal)
    }
}
