import FoundationEssentials
import Logging
import ServiceKit
import Synchronization
import Testing

@Suite struct JSONLogHandlerTests {
    @Test func logMessage_isOneJSONObjectPerLine() throws {
        let lines = Lines()
        var logger = Logger(label: "x") { _ in JSONLogHandler(label: "auth") { lines.append($0) } }
        logger[metadataKey: "request_id"] = "r-1"
        logger.info("hello \"you\"\nthere", metadata: ["n": "5"])
        logger.debug("not this")

        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(!line.contains("\n"))
        let members = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(members["message"] == "hello \"you\"\nthere")
        #expect(members["service"] == "auth")
        #expect(members["level"] == "info")
        #expect(members["request_id"] == "r-1")
        #expect(members["n"] == "5")
        #expect(members["time"]?.hasSuffix("Z") == true)
    }

    @Test func metadataValue_keepsItsType() throws {
        let lines = Lines()
        let logger = Logger(label: "x") { _ in JSONLogHandler(label: "auth") { lines.append($0) } }
        logger.info(
            "x",
            metadata: [
                "count": .stringConvertible(Int64(5)), "duration_ms": .stringConvertible(1.25),
                "infinite": .stringConvertible(Double.infinity), "is": .stringConvertible(true),
                "list": ["a", .stringConvertible(1)], "map": ["b": "c", "a": .stringConvertible(2)],
            ]
        )
        let fields = #""count":5,"duration_ms":1.25,"infinite":"inf","is":true,"list":["a",1],"map":{"a":2,"b":"c"}}"#
        #expect(try #require(lines.all.first).hasSuffix(fields))
    }
}

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}
