import Glibc
import NIOCore

/// How busy an address is and how quickly it answers, as far as this gateway sees. It includes the time on the network, so
/// that of two equal copies the nearer one is preferred until it is busier.
struct EndpointLoad {
    /// The number of requests that wait for or receive a response.
    private(set) var outstanding = 0
    /// The number of requests refused because the address was full.
    private(set) var refused = 0
    /// The average time to the head of a response, in nanoseconds, in which an answer counts less the older it is.
    private var latency = 1_000_000.0
    private var lastAnswer = NIODeadline.uptimeNanoseconds(0)
    /// When the last answer came, or the first outstanding request was sent.
    private var lastProgress = NIODeadline.uptimeNanoseconds(0)
    private var busy: Busy?

    /// A time in which many requests are outstanding.
    private struct Busy {
        /// The start of the current period.
        var start: NIODeadline
        /// The number of requests that have ended in it.
        var ended = 0
        /// Requests ended per second, in the last whole period.
        var rate: Double?
    }

    /// The number of outstanding requests below which an address is not full.
    static let fewest = 64
    /// The period in which the rate of a busy address is measured.
    static let period = TimeAmount.seconds(5)
    /// The time after which an answer counts 1/e, in nanoseconds.
    private static let decayTime = 5e9
    private static let shortestLatency = 100_000.0

    mutating func began(now: NIODeadline) {
        if outstanding == 0 { lastProgress = max(lastProgress, now) }
        outstanding += 1
    }

    /// Records the head of a response.
    ///
    /// - Parameter time: Since the whole request was sent.
    mutating func answered(after time: TimeAmount, now: NIODeadline) {
        let weight = decay(now)
        latency = latency * weight + Double(time.nanoseconds) * (1 - weight)
        lastAnswer = max(lastAnswer, now)
        lastProgress = lastAnswer
    }

    /// Records the end of a request, however it ended.
    mutating func ended(now: NIODeadline) {
        outstanding -= 1
        guard outstanding >= Self.fewest else { return busy = nil }
        // A period begins with an end, so that a pause before does not count as slowness.
        if busy?.ended == 0 { busy?.start = now }
        busy?.ended += 1
    }

    /// How long a further request would take, relative to other addresses. An address that is not used becomes cheap in the
    /// end, so that it is tried again; one that does not answer becomes dear.
    func cost(now: NIODeadline) -> Double {
        let expected =
            outstanding == 0 ? latency * decay(now) : max(latency, Double((now - lastProgress).nanoseconds))
        return max(expected, Self.shortestLatency) * Double(outstanding + 1)
    }

    /// How much the average still counts.
    private func decay(_ now: NIODeadline) -> Double {
        exp(-Double(max(0, (now - lastAnswer).nanoseconds)) / Self.decayTime)
    }

    /// How long a further request would wait for the outstanding ones: their number divided by the rate at which they end
    /// (Little's law), or if none ends, as long again as none has. Zero while few are outstanding.
    mutating func expectedWait(now: NIODeadline) -> TimeAmount {
        guard outstanding >= Self.fewest else {
            busy = nil
            return .zero
        }
        var current = busy ?? Busy(start: now)
        let elapsed = now - current.start
        if current.ended > 0, elapsed >= Self.period {
            current = Busy(start: now, rate: Double(current.ended) / Double(elapsed.nanoseconds) * 1e9)
        }
        busy = current
        let silence = current.ended == 0 ? now - current.start : .zero
        let wait = current.rate.map { TimeAmount.nanoseconds(Int64(Double(outstanding) / $0 * 1e9)) } ?? .zero
        return max(silence, wait)
    }

    mutating func countRefusal() { refused += 1 }
}
