import NIOCore
import Testing

@testable import Gateway

/// Responses of services, and failures of services, of clients and of deadlines.
struct ClientConnectionStateFailureTests {
    // MARK: Responses

    @Test func responseOfUnknownLength_isChunked() {
        var driver = StateDriver.forwarding()
        #expect(driver.state.responseBegan(.untilClose) == false)
        #expect(driver.state.responseContinued() == true)
        #expect(driver.end() == [true, false])
        #expect(driver.readsNextRequest() == true)
    }

    @Test func responseThatIsCompleteBeforeTheRequest_closes() {
        var driver = StateDriver.forwarding(.post)
        #expect(driver.receive("0123") == .send(.bytes(ByteBuffer(string: "0123"))))
        #expect(driver.next() == .flush)
        #expect(driver.state.responseBegan(.bytes(2)) == true)
        // The service is still sent the body while it responds.
        #expect(driver.receive("45") == .send(.bytes(ByteBuffer(string: "45"))))
        #expect(driver.state.responseContinued() == false)
        #expect(!driver.state.hasSentRequest)
        #expect(driver.end() == [false, true])
        #expect(driver.receive("6789") == .wait)
        #expect(driver.readsNextRequest() == false)
    }

    @Test func responseToTheLastRequestOfAClient_closes() {
        var driver = StateDriver.forwarding(RequestProperties(closes: true))
        #expect(driver.state.responseBegan(.bytes(2)) == true)
        #expect(driver.end() == [false, true])
    }

    // MARK: Failing services

    @Test func safeRequest_isSentAgain_whenAReusedConnectionIsDead() {
        var driver = StateDriver.forwarding(isReused: true)
        #expect(driver.state.upstreamFailed(.broken) == .sendAgain)
        #expect(driver.next() == .wait)
        _ = driver.state.connected(isReused: false, isWritable: true, hasInput: false)
        #expect(driver.next() == .flush)
        #expect(driver.state.upstreamFailed(.broken) == .refuse(.upstreamFailed))
        #expect(driver.respond() == false)
        #expect(driver.readsNextRequest() == true)
    }

    @Test(arguments: [(RequestProperties(), false), (.post, true), (RequestProperties(isIdempotent: false), true)])
    func otherRequest_upstreamFailure_isNotSentAgain(_ request: RequestProperties, _ isReused: Bool) {
        var driver = StateDriver.forwarding(request, isReused: isReused)
        #expect(driver.state.upstreamFailed(.broken) == .refuse(.upstreamFailed))
    }

    @Test func request_isNotSentAgain_afterItsBodyBeganOrAMalformedResponse() {
        var body = StateDriver.forwarding(.put, isReused: true)
        _ = body.receive("0")
        #expect(body.state.upstreamFailed(.broken) == .refuse(.upstreamFailed))
        var malformed = StateDriver.forwarding(isReused: true)
        #expect(malformed.state.upstreamFailed(.malformed) == .refuse(.upstreamFailed))
    }

    @Test(arguments: [UpstreamFailure.broken, .malformed])
    func responseThatBreaks_isNotCompleted(_ failure: UpstreamFailure) {
        var driver = StateDriver.responding()
        #expect(driver.state.upstreamFailed(failure) == .abort)
        #expect(driver.state.clientClosed() == .wait)
        #expect(driver.readsNextRequest() == false)
    }

    @Test func invalidBody_endsAResponseThatHasBegun() {
        var driver = StateDriver.responding(RequestProperties(body: .chunked))
        #expect(driver.receive("zz") == .abort)
        #expect(driver.next() == .wait)
    }

    // MARK: Closing

    private static let open: [StateDriver] = [
        StateDriver(), .deciding(), .connecting(), .forwarding(.post), .responding(), .discarding(), .lingering(),
    ]

    @Test(arguments: open)
    func clientThatCloses_endsEveryState(_ driver: StateDriver) {
        var driver = driver
        #expect(driver.state.clientClosed() == .close)
        #expect(driver.state.clientClosed() == .wait)
        #expect(driver.state.cut() == .wait)
        #expect(driver.state.upstreamFailed(.broken) == .wait)
        #expect(driver.wait(.hours(1)) == .wait)
        #expect(driver.readsNextRequest() == false)
    }

    @Test func cut_abortsAResponse_andClosesOtherwise() {
        for (index, driver) in Self.open.enumerated() {
            var driver = driver
            #expect(driver.state.cut() == ((2...4).contains(index) ? .abort : .close))
            #expect(driver.state.clientClosed() == .wait)
        }
    }

    @Test func tunnel_ignoresAllEvents() {
        var driver = StateDriver.tunnelling()
        driver.state.drain()
        #expect(driver.receive("frame") == .wait)
        #expect(driver.input.readableBytes == 5)
        #expect(driver.state.clientClosed() == .wait)
        #expect(driver.state.cut() == .wait)
        #expect(driver.state.upstreamFailed(.broken) == .wait)
        #expect(driver.wait(.hours(1)) == .wait)
    }

    // MARK: Drain

    @Test func drain_closesAfterTheRequestInFlight() {
        var early = StateDriver.forwarding()
        early.state.drain()
        #expect(early.state.responseBegan(.bytes(2)) == true)
        #expect(early.end() == [false, true])
        var late = StateDriver.responding()
        late.state.drain()
        #expect(late.end() == [false, true])
        var deciding = StateDriver.deciding()
        deciding.state.drain()
        #expect(deciding.respond() == true)
    }

    @Test func drain_leavesAnIdleConnectionTimeForOneRequest() {
        for isBefore in [true, false] {
            var driver = StateDriver.discarding { $0.drainIdleTime = .seconds(1) }
            if isBefore { driver.state.drain() }
            #expect(driver.receive("0123456789") == .wait)
            if !isBefore { driver.state.drain() }
            #expect(driver.wait(.milliseconds(500)) == .wait)
            #expect(driver.wait(.seconds(1)) == .close)
        }
    }

    // MARK: Deadlines

    private static func limits(_ limits: inout Limits) {
        limits.headTime = .seconds(1)
        limits.idleTime = .seconds(2)
        limits.bodyTime = .seconds(3)
        limits.bodyRate = 1
        limits.answerTime = .seconds(4)
        limits.stallTime = .seconds(5)
        limits.lingerTime = .seconds(6)
        limits.refreshTime = .seconds(7)
    }

    private static let deadlines: [(StateDriver, Int64, ConnectionAction)] = [
        (StateDriver(limits), 1, .close),
        (.deciding(RequestProperties(), limits).waiting(.keys), 4, .refuse(.unavailable)),
        (.deciding(RequestProperties(), limits).waiting(.refresh), 7, .decideWithoutRefresh),
        (.connecting(RequestProperties(), limits), 4, .refuse(.upstreamTimedOut)),
        (.forwarding(RequestProperties(), limits), 4, .refuse(.upstreamTimedOut)),
        (.forwarding(.post, limits), 3, .refuse(.tooSlow)),
        (.forwarding(.post, limits).held(), 5, .refuse(.upstreamTimedOut)),
        (.responding(RequestProperties(), limits), 5, .abort), (.discarding(limits), 3, .close),
        (.lingering(limits), 6, .close),
    ]

    @Test(arguments: deadlines)
    func deadline_exceeded_returnsActionOfState(_ driver: StateDriver, _ seconds: Int64, _ action: ConnectionAction) {
        var driver = driver
        #expect(driver.wait(.seconds(seconds)) == .wait)
        #expect(driver.wait(.milliseconds(1)) == action)
    }

    @Test func deadlineOfAHead_runsFromItsFirstByte() {
        var driver = StateDriver(Self.limits)
        _ = driver.receive("GE")
        #expect(driver.wait(.milliseconds(900)) == .wait)
        _ = driver.receive("T")
        #expect(driver.wait(.milliseconds(200)) == .refuse(.tooSlow))
        #expect(driver.respond() == true)

        var idle = StateDriver.responding(RequestProperties(), Self.limits)
        _ = idle.state.responseEnded()
        #expect(idle.wait(.milliseconds(1900)) == .wait)
        _ = idle.receive("GET")
        #expect(idle.wait(.milliseconds(900)) == .wait)
        #expect(idle.wait(.milliseconds(200)) == .refuse(.tooSlow))
    }

    @Test func deadlineOfABody_growsWithItsSize_andStopsWhileItIsHeld() {
        var driver = StateDriver.forwarding(.post, Self.limits)
        _ = driver.receive("01")
        while driver.next() != .wait {}
        #expect(driver.wait(.milliseconds(4900)) == .wait)
        driver.state.upstreamWritabilityChanged(false)
        _ = driver.next()
        #expect(driver.wait(.seconds(4)) == .wait)
        driver.state.upstreamWritabilityChanged(true)
        _ = driver.next()
        #expect(driver.wait(.milliseconds(50)) == .wait)
        #expect(driver.wait(.milliseconds(100)) == .refuse(.tooSlow))
    }

    @Test func deadlineOfAResponse_isNotExtendedByPipelinedBytes() {
        var driver = StateDriver.forwarding(.post, Self.limits)
        _ = driver.receive("0123456789")
        while driver.next() != .wait {}
        #expect(driver.wait(.seconds(3)) == .wait)
        #expect(driver.receive("GET") == .wait)
        #expect(driver.wait(.seconds(2)) == .refuse(.upstreamTimedOut))
    }

    @Test func deadlineOfAResponse_isForItsNextPart_onceItBegan() {
        var driver = StateDriver.forwarding(.post, Self.limits)
        _ = driver.state.responseBegan(.bytes(10))
        _ = driver.receive("0123456789")
        while driver.next() != .wait {}
        #expect(driver.wait(.milliseconds(4500)) == .wait)
        _ = driver.state.responseContinued()
        #expect(driver.wait(.milliseconds(4500)) == .wait)
        #expect(driver.wait(.seconds(1)) == .abort)
    }

    @Test func discardedBody_hasADeadlineAfterARefresh() {
        var driver = StateDriver.deciding(.post, Self.limits)
        let wait = driver.state.wait(for: .refresh)
        #expect(driver.state.resolved(wait) == true)
        #expect(driver.respond() == false)
        #expect(driver.wait(.seconds(4)) == .close)
    }
}

extension StateDriver {
    fileprivate func waiting(_ dependency: DecisionWait.Dependency) -> StateDriver {
        var driver = self
        _ = driver.state.wait(for: dependency)
        return driver
    }

    /// The service does not accept more of the body.
    fileprivate func held() -> StateDriver {
        var driver = self
        driver.state.upstreamWritabilityChanged(false)
        _ = driver.next()
        return driver
    }
}
