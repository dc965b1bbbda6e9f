package import Contracts

/// The caller of a service: the gateway on behalf of a user (or of an anonymous client, on a public route), or another
/// program of ours.
///
/// It is sent in the header `X-Madang-Identity`, authenticated for one method and path of one service with the key that
/// only the caller and this service have (`CallKey`). Services refuse requests without one, so that the gateway cannot be
/// bypassed, and an identity that was intercepted is good for the same request only.
///
/// The clocks of two machines may differ by less than a minute: an identity is accepted from a minute before to a minute
/// after the time at which it was signed.
///
/// Wire form, seven fields joined by dots: `2.caller.app.account.session.time.code`, an absent value being `-`, `time`
/// in seconds since 1970, `code` in base64url over `METHOD PATH TEXT`: the method, the path with its query as it is sent,
/// and everything before the last dot.
package struct InternalIdentity: Sendable, Equatable {
    package static let header = "x-madang-identity"
    /// The header with the address of the gateway's client.
    package static let clientHeader = "x-madang-client"
    /// The prefix of internal headers, which the gateway removes from incoming requests.
    package static let headerPrefix = "x-madang-"
    /// How far the clock of the verifier may be from the time of an identity, in seconds.
    package static let validity: Int64 = 60

    package var caller: ProgramName
    /// The app of the request, which only the gateway states; nil between programs.
    package var app: App?
    /// The signed-in account; nil on public routes and between programs.
    package var account: AccountID?
    /// The session of the account's access token.
    package var session: String?

    package init(caller: ProgramName, app: App? = nil, account: AccountID? = nil, session: String? = nil) {
        self.caller = caller
        self.app = app
        self.account = account
        self.session = session
    }

    /// The fields before the time, each with its dot.
    package var text: String {
        let account = account.map(String.init) ?? "-"
        return "2.\(caller.rawValue).\(app?.rawValue ?? "-").\(account).\(session ?? "-")."
    }

    /// The header's value for a request.
    ///
    /// - Parameters:
    ///   - path: The path with its query, as it is sent.
    ///   - key: That of the caller for the called service.
    ///   - now: Seconds since 1970.
    package func signed(_ method: String, _ path: String, with key: CallKey, now: Int64) -> String {
        let text = "\(text)\(now)"
        return "\(text).\(key.code(of: method, path, by: text).text)"
    }

    /// Parses a header value without verifying it.
    ///
    /// - Returns: nil if it is malformed, or an app is stated by another program than the gateway.
    package init?(unverified value: String) {
        self.init(fields: value.split(separator: ".", omittingEmptySubsequences: false))
    }

    init?(fields: [Substring]) {
        guard fields.count == 7, fields[0] == "2", let caller = ProgramName(rawValue: String(fields[1])) else {
            return nil
        }
        self.caller = caller
        self.app = App(rawValue: String(fields[2]))
        self.account = AccountID(fields[3])
        self.session = fields[4] == "-" ? nil : String(fields[4])
        guard caller == .gateway || (app == nil && account == nil && session == nil) else { return nil }
    }
}

extension InternalKeys {
    /// Verifies the header value of a request to this program.
    ///
    /// - Parameters:
    ///   - path: The path with its query, as it was received.
    ///   - now: Seconds since 1970.
    /// - Returns: nil if the value is malformed, was signed for another request or program, or too long before or after
    ///   `now`, or if no key of the caller and this program has signed it.
    package func identity(_ value: String, of method: String, _ path: String, now: Int64) -> InternalIdentity? {
        let fields = value.split(separator: ".", omittingEmptySubsequences: false)
        let accepted = now - InternalIdentity.validity...now + InternalIdentity.validity
        guard let identity = InternalIdentity(fields: fields), let time = Int64(fields[5]), accepted.contains(time),
            let code = Base64URL.decode(fields[6].utf8)
        else { return nil }
        let text = String(value[..<fields[5].endIndex])
        let isSigned = keys(from: identity.caller).contains { $0.code(of: method, path, by: text).isEqual(to: code) }
        return isSigned ? identity : nil
    }
}
