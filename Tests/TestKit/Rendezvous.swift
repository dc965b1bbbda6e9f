/// Where a number of tasks wait for each other. Later visitors pass.
package actor Rendezvous {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ count: Int) { missing = count }

    /// Returns when as many have arrived as were announced.
    package func arrive() async {
        missing -= 1
        guard missing > 0 else {
            waiting.forEach { $0.resume() }
            waiting = []
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}
