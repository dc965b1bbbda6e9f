import Glibc
import NIOCore

/// The current time of one event loop, in the formats it needs. The texts are formatted once per second instead of once
/// per request.
struct WallClock {
    /// Seconds since 1970.
    private(set) var seconds: Int64 = 0
    private(set) var milliseconds = 0
    /// `Date: Wed, 21 Oct 2015 07:28:00 GMT` with its CRLF (RFC 9110 §5.6.7).
    private(set) var dateLine = ByteBuffer()
    /// `2015-10-21T07:28:00`, UTC.
    private(set) var isoSecond = ByteBuffer()

    init() {
        update()
    }

    mutating func update() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        milliseconds = now.tv_nsec / 1_000_000
        guard seconds != Int64(now.tv_sec) else { return }
        write(now.tv_sec)
    }

    /// - Parameter time: Seconds since 1970.
    init(at time: Int) {
        write(time)
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private mutating func write(_ time: Int) {
        seconds = Int64(time)
        var time = time
        var civil = tm()
        gmtime_r(&time, &civil)
        let (year, month, day) = (Int(civil.tm_year) + 1900, Int(civil.tm_mon), Int(civil.tm_mday))

        var clock = ByteBuffer()
        clock.writeDecimal(Int(civil.tm_hour), digits: 2)
        clock.writeStaticString(":")
        clock.writeDecimal(Int(civil.tm_min), digits: 2)
        clock.writeStaticString(":")
        clock.writeDecimal(Int(civil.tm_sec), digits: 2)

        dateLine.clear()
        dateLine.writeString("Date: \(Self.days[Int(civil.tm_wday)]), ")
        dateLine.writeDecimal(day, digits: 2)
        dateLine.writeString(" \(Self.months[month]) \(year) ")
        dateLine.writeImmutableBuffer(clock)
        dateLine.writeStaticString(" GMT\r\n")

        isoSecond.clear()
        isoSecond.writeDecimal(year, digits: 4)
        isoSecond.writeStaticString("-")
        isoSecond.writeDecimal(month + 1, digits: 2)
        isoSecond.writeStaticString("-")
        isoSecond.writeDecimal(day, digits: 2)
        isoSecond.writeStaticString("T")
        isoSecond.writeImmutableBuffer(clock)
    }
}
