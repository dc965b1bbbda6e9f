/// Lets a limited number of tasks through at a time.
actor Slots {
    private var free: Int
    private var line: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    nonisolated func withSlot(_ body: () async throws -> Void) async rethrows {
        await take()
        do {
            try await body()
        } catch {
            await giveBack()
            throw error
        }
        await giveBack()
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { line.append($0) }
        }
    }

    private func giveBack() {
        if line.isEmpty { free += 1 } else { line.removeFirst().resume() }
    }
}
