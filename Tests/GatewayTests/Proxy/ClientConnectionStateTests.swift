import NIOCore
import Testing

@testable import Gateway

/// Requests on their way from the client to the service, and decisions that wait for a dependency.
struct ClientConnectionStateTests {
    // MARK: Heads

    @Test func idle_readsAHead_onceBytesArrive() {
        var driver = StateDriver()
        #expect(driver.next() == .wait)
        #expect(driver.receive("GET") == .readHead)
        #expect(driver.input.readableBytes == 3)
    }

    @Test func idle_readsNoHead_whileTheClientDoesNotRead() {
        var driver = StateDriver()
        driver.state.clientWritabilityChanged(false)
        #expect(driver.receive("GET") == .wait)
        driver.state.clientWritabilityChanged(true)
        #expect(driver.next() == .readHead)
    }

    @Test func unreadableHead_closesTheSendingSide_andDiscardsTheRest() {
        var driver = StateDriver { $0.lingerSize = 10 }
        #expect(driver.receive("rubbish") == .readHead)
        #expect(driver.respond() == true)
        #expect(driver.next() == .wait)
        #expect(driver.input.readableBytes == 0)
        #expect(driver.receive("123") == .wait)
        #expect(driver.receive("4") == .close)
    }

    @Test func reading_isHeldBeyondTheReadAhead_exceptWhileLingering() {
        let driver = StateDriver { $0.readAhead = 10 }
        #expect(driver.state.mayRead(buffered: 9))
        #expect(!driver.state.mayRead(buffered: 10))
        #expect(StateDriver.lingering { $0.readAhead = 10 }.state.mayRead(buffered: 10))
    }

    // MARK: Decision

    @Test func deciding_leavesTheBodyInTheBuffer() {
        var driver = StateDriver.deciding(.post)
        #expect(driver.receive("0123456789") == .wait)
        #expect(driver.input.readableBytes == 10)
    }

    @Test(arguments: [DecisionWait.Dependency.keys, .refresh])
    func outcome_resolvesOnlyItsOwnWait(_ dependency: DecisionWait.Dependency) {
        var driver = StateDriver.deciding()
        let first = driver.state.wait(for: dependency)
        let second = driver.state.wait(for: dependency)
        #expect(driver.state.resolved(first) == false)
        #expect(driver.state.resolved(second) == true)
        #expect(driver.state.resolved(second) == false)
    }

    @Test func outcome_forAnEarlierRequest_isIgnored() {
        var driver = StateDriver.deciding { $0.answerTime = .seconds(1) }
        let wait = driver.state.wait(for: .keys)
        #expect(driver.wait(.seconds(2)) == .refuse(.unavailable))
        #expect(driver.respond() == false)
        driver.decide()
        let next = driver.state.wait(for: .refresh)
        #expect(driver.state.resolved(wait) == false)
        #expect(driver.state.resolved(next) == true)
    }

    @Test func clientClose_duringRefresh_closes() {
        var driver = StateDriver.deciding(.post)
        let wait = driver.state.wait(for: .refresh)
        #expect(driver.state.clientClosed() == .close)
        #expect(driver.state.resolved(wait) == false)
        #expect(driver.state.clientClosed() == .wait)
    }

    @Test func lateRefresh_isSkipped() {
        var driver = StateDriver.deciding { $0.refreshTime = .seconds(2) }
        let wait = driver.state.wait(for: .refresh)
        #expect(driver.wait(.seconds(1)) == .wait)
        #expect(driver.wait(.seconds(2)) == .decideWithoutRefresh)
        #expect(driver.state.resolved(wait) == false)
        driver.state.forward(bodyLimit: 10)
        #expect(driver.state.connected(isReused: false, isWritable: true, hasInput: false) == false)
        #expect(driver.next() == .flush)
    }

    // MARK: Sending

    @Test func requestWithoutABody_isFlushedOnce() {
        var driver = StateDriver.connecting()
        #expect(driver.next() == .wait)
        #expect(driver.state.connected(isReused: true, isWritable: true, hasInput: false) == false)
        #expect(driver.next() == .flush)
        #expect(driver.next() == .wait)
        #expect(driver.state.hasSentRequest)
    }

    @Test func body_isSentInPieces_asItArrives() {
        var driver = StateDriver.connecting(.post)
        #expect(driver.receive("0123") == .wait)
        #expect(driver.state.connected(isReused: false, isWritable: true, hasInput: true) == false)
        #expect(driver.next() == .send(.bytes(ByteBuffer(string: "0123"))))
        #expect(driver.next() == .flush)
        #expect(driver.next() == .wait)
        #expect(!driver.state.hasSentRequest)
        #expect(driver.receive("456789GET /") == .send(.bytes(ByteBuffer(string: "456789"))))
        #expect(driver.next() == .flush)
        #expect(driver.next() == .wait)
        #expect(driver.state.hasSentRequest && driver.state.bodyCount == 10)
        #expect(driver.input.readableBytes == 5)
    }

    @Test func body_waitsForTheService_afterAFlush() {
        var driver = StateDriver.forwarding(.post)
        #expect(driver.receive("01") == .send(.bytes(ByteBuffer(string: "01"))))
        driver.state.upstreamWritabilityChanged(false)
        #expect(driver.receive("23") == .flush)
        #expect(driver.next() == .wait)
        #expect(driver.input.readableBytes == 2)
        driver.state.upstreamWritabilityChanged(true)
        #expect(driver.next() == .send(.bytes(ByteBuffer(string: "23"))))
    }

    @Test func chunkedBody_isReframed_andBounded() {
        var driver = StateDriver.forwarding(RequestProperties(body: .chunked))
        #expect(driver.receive("2\r\nab\r\n0\r\n\r\n") == .send(.chunk(ByteBuffer(string: "ab"))))
        #expect(driver.next() == .send(.lastChunk))
        #expect(driver.next() == .flush)
        #expect(driver.state.hasSentRequest)

        var large = StateDriver.forwarding(RequestProperties(body: .chunked))
        let body = String(repeating: "x", count: StateDriver.bodyLimit + 1)
        #expect(large.receive("3e9\r\n\(body)") == .refuse(.invalid(.bodyTooLarge)))
        #expect(large.respond(closing: true) == true)
    }

    @Test(arguments: [(false, true), (true, false)])
    func clientThatExpectsContinue_isAskedForTheBody(_ hasInput: Bool, _ isAsked: Bool) {
        let request = RequestProperties(body: .bytes(10), expectsContinue: true)
        var driver = StateDriver.connecting(request)
        #expect(driver.state.connected(isReused: false, isWritable: true, hasInput: hasInput) == isAsked)
        var empty = StateDriver.connecting(RequestProperties(expectsContinue: true))
        #expect(empty.state.connected(isReused: false, isWritable: true, hasInput: hasInput) == false)
    }

    @Test func pipelinedRequest_waitsForTheResponse() {
        var driver = StateDriver.forwarding()
        #expect(driver.receive("GET /next") == .wait)
        #expect(driver.state.responseBegan(.bytes(2)) == false)
        #expect(driver.next() == .wait)
        #expect(driver.end() == [false, false])
        #expect(driver.next() == .readHead)
        #expect(driver.input.readableBytes == 9)
    }

    // MARK: Responses of the gateway

    @Test func smallBody_isDiscarded_afterARefusal() {
        var driver = StateDriver.discarding()
        #expect(driver.receive("01234") == .wait)
        #expect(driver.input.readableBytes == 0)
        #expect(driver.receive("56789GET") == .readHead)
        #expect(driver.input.readableBytes == 3)
    }

    @Test(arguments: [
        RequestProperties(body: .bytes(100_000)), RequestProperties(body: .chunked),
        RequestProperties(body: .bytes(10), expectsContinue: true), RequestProperties(closes: true),
    ])
    func refusal_bodyTooLongToDiscard_closes(_ request: RequestProperties) {
        var driver = StateDriver.deciding(request)
        #expect(driver.respond() == true)
        #expect(driver.readsNextRequest() == false)
    }

    @Test func discardedBody_thatExceedsTheLimit_closesTheSendingSide() {
        var driver = StateDriver.deciding(.post)
        #expect(driver.state.respond(closing: false, bodyLimit: 5) == false)
        #expect(driver.receive("0123456789") == .closeOutput)
        #expect(driver.next() == .wait)
    }
}
