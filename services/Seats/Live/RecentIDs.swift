/// The most recent message ids, for deduplication.
struct RecentIDs {
    private var ids: Set<LiveMessageID> = []
    private var order: [LiveMessageID] = []
    private static let limit = 4096

    /// - Returns: false for a known id.
    mutating func insert(_ id: LiveMessageID) -> Bool {
        guard ids.insert(id).inserted else { return false }
        order.append(id)
        if order.count > Self.limit {
            for old in order.prefix(Self.limit / 2) { ids.remove(old) }
            order.removeFirst(Self.limit / 2)
        }
        return true
    }
}
