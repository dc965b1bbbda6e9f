package import Authentication

/// Where traces are kept: the console's address, and which traces it gets.
package struct ConsoleSettings: Sendable {
    /// The base URLs of its copies.
    package var urls: [String]
    package var keys: InternalKeys
    /// The share of traces that are kept though nothing is remarkable about them, from 0 to 1.
    package var share: Double

    package init(urls: [String], keys: InternalKeys, share: Double) {
        (self.urls, self.keys, self.share) = (urls, keys, share)
    }

    /// - Returns: nil without an address: no trace is kept.
    package init?(keys: InternalKeys, _ settings: inout Settings) {
        let isDevelopment = settings.environment == .development
        urls = settings.value(
            "CONSOLE_URL",
            default: isDevelopment ? ["http://127.0.0.1:8089"] : [],
            "http(s)://host:port, several joined by commas, or nothing",
            "the console, which keeps traces; without it none is kept",
            shown: isDevelopment ? "http://127.0.0.1:8089" : ""
        ) { $0.isEmpty ? [] : Settings.urls($0) }
        share = settings.value(
            "TRACES_KEPT",
            default: isDevelopment ? 1 : 0.01,
            "a number from 0 to 1",
            "share of the traces that are kept besides those with errors, slow ones and payments"
        ) { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } }
        self.keys = keys
        guard !urls.isEmpty else { return nil }
    }
}
