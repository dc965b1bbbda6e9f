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
