import FoundationEssentials
import Testing

@testable import Sandbox

@Suite struct FCMAccessTokensTests {
    @Test func token_isValidForItsProjectForOneHour() throws {
        let tokens = FCMAccessTokens()
        let token = tokens.give(project: "moup")
        try tokens.check(token, project: "moup")
        #expect(throws: FCMError.denied(project: "anlaka")) { try tokens.check(token, project: "anlaka") }
        #expect(throws: FCMError.unauthenticated("CREDENTIALS_MISSING")) { try tokens.check(nil, project: "moup") }
        #expect(throws: FCMError.unauthenticated("ACCESS_TOKEN_INVALID")) { try tokens.check("x", project: "moup") }
        let old = tokens.give(project: "moup", at: .now - 3600)
        #expect(throws: FCMError.unauthenticated("ACCESS_TOKEN_EXPIRED")) { try tokens.check(old, project: "moup") }
    }

    @Test func expire_invalidatesAllTokens() throws {
        let tokens = FCMAccessTokens()
        let token = tokens.give(project: "moup")
        tokens.expire()
        #expect(throws: FCMError.unauthenticated("ACCESS_TOKEN_EXPIRED")) { try tokens.check(token, project: "moup") }
        try tokens.check(tokens.give(project: "moup"), project: "moup")
    }
}
