import Glibc

/// Unbuffered output to the terminal.
enum Console {
    static func line(_ text: String = "") {
        let bytes = Array("\(text)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }

    /// "✓ auth  :8081  130 ms".
    static func done(_ name: String, _ detail: String, since start: ContinuousClock.Instant) {
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        line("  ✓ \(pad(name, 13)) \(pad(detail, 14)) \(milliseconds) ms")
    }

    /// The progress of a longer operation.
    static func progress(_ name: String, _ detail: String) {
        line("  … \(pad(name, 13)) \(detail)")
    }

    /// Rows of as many columns as the first one.
    static func table(_ rows: [[String]]) {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            line(zip(row, widths).map { pad($0, $1) }.joined(separator: "  "))
        }
    }

    static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
