import Glibc
import Testing

/// Writes down how long tests take by themselves, without their wait for a place among those that run: a line of seconds and
/// name in the file that `MADANG_TEST_TIMES` names, if it names one.
package enum TestTimes {
    @TaskLocal private static var isMeasuring = false

    private static let file = getenv("MADANG_TEST_TIMES").map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o644) }

    /// Measures what a test does, once where this is called inside of itself.
    package static func measure<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        guard let file, !isMeasuring, let test = Test.current else { return try await body() }
        let start = ContinuousClock.now
        defer {
            let hundredths = Int((ContinuousClock.now - start) / .milliseconds(10))
            let fraction = hundredths % 100
            let module = test.sourceLocation.fileID.prefix { $0 != "/" }
            let line = "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) \(module) \(test.name)\n"
            write(file, line, line.utf8.count)
        }
        return try await $isMeasuring.withValue(true, operation: body)
    }
}
