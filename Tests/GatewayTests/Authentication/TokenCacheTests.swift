import Authentication
import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

struct TokenCacheTests {
    private func principal(_ account: AccountID, session: String = "s") -> Principal {
        Principal(
            claims: AccessClaims(account: account, session: session, app: .moup, expiresAt: .max),
            bucket: TokenBucket(.unlimited, now: .now())
        )
    }

    private func token(_ number: Int) -> ByteBuffer { ByteBuffer(string: "token-\(number)") }

    @Test func insertedToken_isFoundUntilRemoved() {
        var cache = TokenCache<Principal>(limit: 10)
        cache.insert(principal(1), for: token(1))
        #expect(cache.value(for: token(1))?.claims.account == 1)
        #expect(cache.value(for: token(2)) == nil)
        cache.remove(token(1))
        #expect(cache.value(for: token(1)) == nil)
    }

    @Test func cache_isBounded_andKeepsUsedEntries() {
        var cache = TokenCache<Principal>(limit: 100)
        cache.insert(principal(0), for: token(0))
        for number in 1...10_000 {
            cache.insert(principal(AccountID(rawValue: Int64(number))), for: token(number))
            #expect(cache.value(for: token(0)) != nil)
        }
        #expect(cache.count <= 200)
        #expect(cache.value(for: token(1)) == nil)
    }

    @Test func unusedEntry_isForgottenInTheSecondGeneration() {
        var cache = TokenCache<Principal>(limit: 10)
        for number in 1...2 { cache.insert(principal(1), for: token(number)) }
        cache.age()
        #expect(cache.value(for: token(1)) != nil)
        cache.age()
        #expect(cache.count == 1)
        #expect(cache.value(for: token(1)) != nil)
        #expect(cache.value(for: token(2)) == nil)
    }

    @Test(.timeLimit(.minutes(1))) func tokenThatIsNotUsed_isForgottenInTime() async throws {
        let upstream = try await TestUpstream.answering()
        let tokens = try (0..<2).map { _ in try TestGateway.key.token() }
        try await TestGateway.run([.auth: [upstream]], configure: { $0.threads = 1 }) { gateway in
            // With it the gateway has got the keys.
            let answer = try await gateway.call("/user/me", token: tokens[0])
            #expect(answer?.status == 200)
            // In one turn of the event loop, so that nothing else touches the cache.
            let counts = try await gateway.gateway.loops.map { loop in
                let (authenticator, start) = (loop.authenticator, NIODeadline.now())
                func use(_ token: String) {
                    _ = authenticator.verdict(
                        on: ByteBuffer(string: token),
                        for: .seatcatcher,
                        seconds: loop.clock.seconds,
                        now: start
                    )
                }
                func known(after minutes: Int64) -> Int {
                    authenticator.age(now: start + .minutes(minutes))
                    return authenticator.cachedTokens
                }
                tokens.forEach(use)
                let before = [known(after: 1), known(after: 11)]
                use(tokens[0])
                return before + [known(after: 20), known(after: 22)]
            }
            #expect(counts == [[2, 2, 2, 1]])
        }
    }

    @Test func removeAll_removesEntriesOfSession() {
        var cache = TokenCache<Principal>(limit: 2)
        for number in 0..<4 { cache.insert(principal(1, session: "s\(number % 2)"), for: token(number)) }
        cache.removeAll { $0.claims.session == "s0" }
        #expect(cache.count == 2)
        #expect(cache.value(for: token(0)) == nil)
        #expect(cache.value(for: token(3)) != nil)
    }

    @Test func insert_slice_copiesBytes() {
        var cache = TokenCache<Principal>(limit: 2)
        let large = ByteBuffer(repeating: 65, count: 100_000)
        var slice = large.getSlice(at: 5, length: 10) ?? ByteBuffer()
        cache.insert(principal(1), for: slice)
        slice.setString("B", at: slice.readerIndex)
        #expect(cache.value(for: ByteBuffer(repeating: 65, count: 10)) != nil)
    }
}
