import NIOCore
import Testing

@testable import Gateway

struct TokenBucketTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    @Test func take_allowsBurst_thenRate() {
        let bucket = TokenBucket(RateLimit(perSecond: 2, burst: 3), now: start)
        for _ in 0..<3 { #expect(bucket.take(now: start) == nil) }
        #expect(bucket.take(now: start) == 1)
        #expect(bucket.take(now: start + .milliseconds(499)) == 1)
        #expect(bucket.take(now: start + .milliseconds(500)) == nil)
        #expect(bucket.take(now: start + .milliseconds(500)) != nil)
    }

    @Test func take_whenEmpty_returnsSecondsToWait() {
        let bucket = TokenBucket(RateLimit(perSecond: 0.1, burst: 1), now: start)
        #expect(bucket.take(now: start) == nil)
        #expect(bucket.take(now: start) == 10)
        #expect(bucket.take(now: start + .seconds(4)) == 6)
    }

    @Test func bucket_holdsAtMostBurst() {
        let bucket = TokenBucket(RateLimit(perSecond: 10, burst: 2), now: start)
        let later = start + .hours(1)
        #expect(bucket.take(now: later) == nil)
        #expect(!bucket.isFull(now: later))
        #expect(bucket.take(now: later) == nil)
        #expect(bucket.take(now: later) == 1)
        #expect(bucket.isFull(now: later + .seconds(1)))
    }

    @Test func take_clockSetBack_addsNoTokens() {
        let bucket = TokenBucket(RateLimit(perSecond: 1, burst: 1), now: start)
        #expect(bucket.take(now: start) == nil)
        #expect(bucket.take(now: start - .seconds(5)) != nil)
    }

    @Test func unlimitedRate_isNotLimited() {
        let bucket = TokenBucket(.unlimited, now: start)
        for _ in 0..<10_000 { #expect(bucket.take(now: start) == nil) }
    }
}
