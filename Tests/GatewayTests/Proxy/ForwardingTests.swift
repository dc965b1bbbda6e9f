import Authentication
import Contracts
import Glibc
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct ForwardingTests {
    @Test func forwardsWithAnIdentityAndWithoutWhatIsNotForTheService() async throws {
        let seats = try await TestUpstream.answering { _ in
            TestUpstream.ok("[1]", headers: "Server: x\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nETag: \"a\"\r\n")
        }
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let token = try TestGateway.key.token()
            let answer = try #require(
                await gateway.call(
                    "/stations/?keyword=%EA%B0%95&line=2",
                    token: token,
                    headers: """
                        X-Madang-Identity: 1.gateway.seatcatcher.1.s.9.x\r\nX-Forwarded-For: 1.2.3.4\r\nTE: trailers\r\n\
                        Connection: X-Secret\r\nX-Secret: 1\r\nAccept: a\r\n
                        """
                )
            )
            #expect(answer.status == 200)
            #expect(answer.body == "[1]")
            #expect(answer["etag"] == ["\"a\""])
            #expect(answer["server"].isEmpty && answer["x-hop"].isEmpty)
            #expect(answer["x-content-type-options"] == ["nosniff"])
            #expect(answer["x-request-id"].first?.count == 16)

            let request = try #require(seats.requests.first)
            #expect(request.start == "GET /stations?keyword=%EA%B0%95&line=2 HTTP/1.1")
            #expect(request["host"] == ["madang"])
            #expect(request["accept"] == ["a"])
            for name in ["authorization", "x-forwarded-for", "te", "connection", "x-secret"] {
                #expect(request[name].isEmpty, "\(name)")
            }
            #expect(request["x-madang-client"] == ["127.0.0.1"])
            #expect(request["x-request-id"] == answer["x-request-id"])
            let value = try #require(request["x-madang-identity"].first)
            #expect(request["x-madang-identity"].count == 1)
            let now = Int64(time(nil))
            let identity = try #require(InternalIdentity(value, secret: .development, now: now))
            #expect(
                identity == InternalIdentity(caller: "gateway", app: .seatcatcher, account: 42, session: "s1")
            )
        }
    }
}
