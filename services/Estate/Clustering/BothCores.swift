import Dispatch
import Glibc

/// Runs work on the parts of a range in parallel, on all cores.
enum BothCores {
    static let parts = max(1, min(8, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

    /// Splits `0..<count` evenly; small ranges are not split.
    ///
    /// - Parameter body: Called with the number of the part, and its range.
    static func forEachPart(of count: Int, _ body: @Sendable (Int, Range<Int>) -> Void) {
        let parts = count < 2048 ? 1 : Self.parts
        guard parts > 1 else { return body(0, 0..<count) }
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            body(part, (count * part / parts)..<(count * (part + 1) / parts))
        }
    }
}

extension BothCores {
    /// Runs `body` for each number below `count`, in parallel.
    static func forEach(_ count: Int, _ body: @Sendable (Int) -> Void) {
        guard count > 1 else {
            for index in 0..<count { body(index) }
            return
        }
        DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
}
