import HTTPTypes
import HummingbirdTesting
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(1))) struct SMSClientTests {
    private var world: ProviderWorld { .current }

    @Test(.providers) func message_isSent() async throws {
        try await world.sms.send("[수현이랑] 482913", to: "01012345678")
        try await world.sms.send("[수현이랑] 582913", to: "01012345678")
        let sent = try await world.sandbox.execute(uri: "/_control/sms?to=01012345678", method: .get) { $0 }
        #expect(sent.text.contains("582913"))
        #expect(sent.text.contains("0215771577"))
    }

    @Test func failedMessage_throwsProviderUnavailable() async throws {
        let down = ProviderUnavailable(provider: "The text message service")
        try await ProviderWorld.test { world in
            for status in [500, 400, 403] {
                _ = try await world.control(
                    "faults",
                    #"{"provider":"sms","kind":"http","status":\#(status),"count":1}"#
                )
                await #expect(throws: down) { try await world.sms.send("a", to: "01012345678") }
            }
        }
        try await ProviderWorld.test({ $0.smsSecret = "another" }) { world in
            await #expect(throws: down) { try await world.sms.send("a", to: "01012345678") }
        }
    }
}
