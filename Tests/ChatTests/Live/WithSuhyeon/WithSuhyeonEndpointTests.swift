import Contracts
import TestKit
import Testing

@testable import Chat

@Suite struct WithSuhyeonEndpointTests {
    @Test func ticket_isTheFirstUserID() {
        #expect(WithSuhyeonEndpoint.ticket("/chat?userId=12") == 12)
        #expect(WithSuhyeonEndpoint.ticket("/chat?a=1&userId=12&userId=13") == 12)
        #expect(WithSuhyeonEndpoint.ticket("/chat?userId=9223372036854775807") == TicketID(rawValue: .max))
        for path in ["/chat", "/chat?", "/chat?userId", "/chat?userId=0", "/chat?userId=-3", "/chat?xuserId=12"] {
            #expect(WithSuhyeonEndpoint.ticket(path) == nil)
        }
    }
}
