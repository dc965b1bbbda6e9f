/// The internal calls of operators to the community service about content that reports have hidden.
package enum ReportsAPI {
    package static let path = "/internal/reports"

    /// The path of a decision: `restore` shows the content again, `confirm` leaves it hidden.
    package static func path(_ kind: String, _ id: ReportedContentID, _ decision: String) -> String {
        "\(path)/\(kind)/\(id)/\(decision)"
    }

    /// Hidden content that waits for a decision, longest first.
    package struct Waiting: Codable, Sendable, Equatable {
        package var items: [Item]

        package init(items: [Item]) { self.items = items }
    }

    package struct Item: Codable, Sendable, Equatable {
        /// `post`, `companion-post` or `gallery-item`.
        package var kind: String
        package var id: ReportedContentID
        package var author: AccountID
        /// Title and text.
        package var text: String
        /// ISO 8601.
        package var hiddenAt: String
        package var reports: [Report]

        package init(
            kind: String,
            id: ReportedContentID,
            author: AccountID,
            text: String,
            hiddenAt: String,
            reports: [Report]
        ) {
            self.kind = kind
            self.id = id
            self.author = author
            self.text = text
            self.hiddenAt = hiddenAt
            self.reports = reports
        }
    }

    package struct Report: Codable, Sendable, Equatable {
        package var account: AccountID
        package var reason: String
        /// Whether it counted towards hiding the content.
        package var counts: Bool

        package init(account: AccountID, reason: String, counts: Bool) {
            self.account = account
            self.reason = reason
            self.counts = counts
        }
    }

    package struct Decision: Codable, Sendable, Equatable {
        /// Whether later reports of these reporters hide nothing.
        package var ignoresReporters: Bool

        package init(ignoresReporters: Bool) { self.ignoresReporters = ignoresReporters }
    }
}
