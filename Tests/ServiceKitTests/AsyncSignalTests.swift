import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct AsyncSignalTests {
    @Test func wake_endsSleep() async {
        let signal = AsyncSignal()
        let sleeper = Task { await signal.sleep(atMost: .seconds(3600)) }
        await Task.yield()
        signal.wake()
        await sleeper.value
    }

    @Test func wakeBeforeSleep_isKeptForOneSleep() async {
        let signal = AsyncSignal()
        signal.wake()
        signal.wake()
        await signal.sleep(atMost: .seconds(3600))
        let start = ContinuousClock.now
        await signal.sleep(atMost: .milliseconds(20))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
    }

    @Test(arguments: [Duration.zero, .milliseconds(-1), .milliseconds(5)])
    func sleep_endsAfterTime(time: Duration) async {
        await AsyncSignal().sleep(atMost: time)
    }

    @Test(arguments: [true, false]) func cancellation_endsSleep(isCancelledFirst: Bool) async {
        let signal = AsyncSignal()
        let sleeper = Task {
            while isCancelledFirst, !Task.isCancelled { await Task.yield() }
            await signal.sleep(atMost: .seconds(3600))
        }
        await Task.yield()
        sleeper.cancel()
        await sleeper.value
    }

    /// A timer of an earlier sleep and a wake of another thread race with each sleep: none is lost.
    @Test func concurrentWakes_endEverySleep() async {
        let signal = AsyncSignal()
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    while !Task.isCancelled {
                        signal.wake()
                        await Task.yield()
                    }
                }
            }
            for round in 0..<20_000 {
                await signal.sleep(atMost: round.isMultiple(of: 2) ? .seconds(3600) : .microseconds(10))
            }
            group.cancelAll()
        }
    }
}
