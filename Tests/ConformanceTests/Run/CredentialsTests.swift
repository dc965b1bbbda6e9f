import AppClients
import Contracts
import FoundationEssentials
import Testing

@testable import Conformance

struct CredentialsTests {
    private typealias Credentials = ConformanceTarget.Credentials

    @Test func file_hasKeysAndTokens() throws {
        let json = #"{"keys":{"anlaka":"k"},"tokens":{"moup":{"owner":{"accessToken":"a","refreshToken":"r"}}}}"#
        let credentials = try Credentials(json: Data(json.utf8))
        #expect(credentials.key(of: .anlaka) == "k")
        #expect(credentials.key(of: .culture) == AppKey.culture)
        #expect(credentials.key(of: .moup) == nil)
        #expect(credentials.tokens(of: .moup, "owner") == ClientTokens(accessToken: "a", refreshToken: "r"))
        #expect(credentials.tokens(of: .moup, "worker") == nil)
    }

    @Test(arguments: ["", "[]", #"{"tokens":{"moup":[]}}"#, #"{"keys":{"other":"k"}}"#])
    func otherFile_isRefused(_ json: String) {
        #expect(throws: ConformanceError.self) { try Credentials(json: Data(json.utf8)) }
    }
}
