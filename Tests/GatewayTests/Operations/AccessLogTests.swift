import FoundationEssentials
import NIOCore
import Testing

@testable import Gateway

struct AccessLogTests {
    private struct Line: Decodable, Equatable {
        var time, level, service, message, method, route, app, client, upstream, requestId, traceId, spanId: String
        var path: String?
        var status, bytesIn, bytesOut: Int
        var durationMs: Double
    }

    private func entry(path: String?) -> AccessLog.Entry {
        AccessLog.Entry(
            method: "GET",
            path: path.map { ArraySlice($0.utf8) },
            route: "/stations",
            app: "seatcatcher",
            status: 200,
            bytesIn: 0,
            bytesOut: 123_456_789_012,
            took: .microseconds(1234),
            client: "10.0.0.1",
            ids: TraceIDs(request: 0xab, trace: (1, .max)),
            upstream: "127.0.0.1:8082"
        )
    }

    private func decoded(_ bytes: ByteBuffer) throws -> Line {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Line.self, from: Data(bytes.readableBytesView))
    }

    @Test func line_isJSON() throws {
        var bytes = ByteBuffer()
        AccessLog.write(entry(path: "/stations"), at: WallClock(at: 1_445_412_480), to: &bytes)
        #expect(bytes.getString(at: bytes.writerIndex - 2, length: 2) == "}\n")
        let line = try decoded(bytes)
        #expect(
            line
                == Line(
                    time: "2015-10-21T07:28:00.000Z",
                    level: "info",
                    service: "gateway",
                    message: "http: request",
                    method: "GET",
                    route: "/stations",
                    app: "seatcatcher",
                    client: "10.0.0.1",
                    upstream: "127.0.0.1:8082",
                    requestId: "00000000000000ab",
                    traceId: "0000000000000001ffffffffffffffff",
                    spanId: "00000000000000ab",
                    path: "/stations",
                    status: 200,
                    bytesIn: 0,
                    bytesOut: 123_456_789_012,
                    durationMs: 1.234
                )
        )
    }

    @Test func unreadableRequest_hasNoPath() throws {
        var bytes = ByteBuffer()
        AccessLog.write(entry(path: nil), at: WallClock(at: 0), to: &bytes)
        #expect(try decoded(bytes).path == nil)
    }

    @Test(arguments: [
        (0, "0"), (7, "7"), (10, "10"), (99_999_999, "99999999"), (100_000_000, "100000000"), (.max, "\(Int.max)"),
    ])
    func writeDecimal_writesDigits(_ number: Int, _ text: String) {
        var bytes = ByteBuffer()
        bytes.writeDecimal(number)
        #expect(String(buffer: bytes) == text)
    }

    @Test func writeDecimal_withDigits_padsWithZeros() {
        var bytes = ByteBuffer()
        for number in [0, 9, 10, 123, 1234] { bytes.writeDecimal(number, digits: 3) }
        #expect(String(buffer: bytes) == "0000090101231234")
    }

    @Test(arguments: [0, 1, 0x9a, 0xa9, 0x0123_4567_89ab_cdef, .max] as [UInt64])
    func writeHex_writesSixteenDigits(_ number: UInt64) {
        var bytes = ByteBuffer()
        bytes.writeHex(number)
        let digits = String(number, radix: 16)
        #expect(String(buffer: bytes) == String(repeating: "0", count: 16 - digits.count) + digits)
    }

    @Test func wallClock_formatsHTTPAndISODates() {
        let clock = WallClock(at: 784_111_777)
        #expect(String(buffer: clock.dateLine) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
        #expect(String(buffer: clock.isoSecond) == "1994-11-06T08:49:37")
    }
}
