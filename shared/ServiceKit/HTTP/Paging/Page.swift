/// A page of a list.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The cursor of the next page.
    package var next: PageCursor

    package init(_ items: [Item], next: PageCursor) {
        self.items = items
        self.next = next
    }

    /// - Parameter found: The items from the start of the page, at least one more than `limit` if there are as many.
    package init(_ found: [(item: Item, cursor: PageCursor)], limit: Int) {
        let shown = found.prefix(limit)
        self.init(shown.map(\.item), next: found.count > limit ? shown.last?.cursor ?? .end : .end)
    }

    /// The same page with its items transformed.
    package func map<Other>(_ transform: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(try items.map(transform), next: next)
    }
}
