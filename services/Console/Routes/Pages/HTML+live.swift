import Contracts

extension HTML {
    /// A link to the page of an account.
    static func account(_ account: AccountID) -> HTML {
        "<a href=\"\(Layout.root)/people?q=\("\(account)")\">\("\(account)")</a>"
    }

    /// Links to the pages of accounts.
    static func accounts(_ accounts: [AccountID]) -> HTML {
        "\(accounts.enumerated().map { "\($0 > 0 ? ", " : "")\(account($1))" as HTML })"
    }

    /// What stands in the place of what a service does not answer.
    static func silence(of service: ServiceName, _ language: Language) -> HTML {
        """
        <p class="failed">\(language("This service does not answer:", "응답하지 않는 서비스:")) \(service.rawValue)</p>
        """
    }
}
