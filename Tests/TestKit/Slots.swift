/// Lets a limited number of tasks through at a time, first come, first served.
package actor Slots {
    private var free: Int
    private var line: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    package init(_ count: Int) { free = count }

    /// Takes several at once, so that no task waits for more with some in hand.
    package nonisolated func withSlots(_ count: Int = 1, _ body: () async throws -> Void) async rethrows {
        await take(count)
        do {
            try await body()
        } catch {
            await giveBack(count)
            throw error
        }
        await giveBack(count)
    }

    private func take(_ count: Int) async {
        if line.isEmpty, free >= count {
            free -= count
        } else {
            await withCheckedContinuation { line.append((count, $0)) }
        }
    }

    private func giveBack(_ count: Int) {
        free += count
        while let first = line.first, first.count <= free {
            free -= first.count
            line.removeFirst().continuation.resume()
        }
    }
}
