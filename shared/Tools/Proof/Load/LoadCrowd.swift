import Synchronization
import Values

/// The people who have signed up, of whom a number is active: each does something every few seconds.
final class LoadCrowd: Sendable {
    private struct State {
        var active = 0
        /// How often the number has changed.
        var round = 0
        var running: Set<Int> = []
    }

    private let people: [any LoadPerson]
    private let habits: Habits
    private let record: LoadRecord
    private let seed: UInt64
    private let state = Mutex(State())
    private let (starts, starter) = AsyncStream<Int>.makeStream()

    init(_ people: [any LoadPerson], habits: Habits, record: LoadRecord, seed: UInt64) {
        (self.people, self.habits, self.record, self.seed) = (people, habits, record, seed)
    }

    /// Lets people be active until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await number in starts { group.addTask { await self.live(number) } }
            group.cancelAll()
        }
    }

    /// Sets the number of active people. Acts that are overdue are not made up for.
    func set(_ count: Int) {
        record.change()
        state.withLock { state in
            state.active = min(count, people.count)
            state.round += 1
            for number in 0..<state.active where state.running.insert(number).inserted { starter.yield(number) }
        }
    }

    /// The round, while the person is active.
    private func round(of number: Int) -> Int? {
        state.withLock { state in
            if number < state.active { return state.round }
            state.running.remove(number)
            return nil
        }
    }

    private func live(_ number: Int) async {
        let person = people[number]
        await withDiscardingTaskGroup { group in
            group.addTask { [record] in await person.stayConnected(record) }
            await self.act(person, number)
            group.cancelAll()
        }
    }

    private func act(_ person: any LoadPerson, _ number: Int) async {
        var random = SplitMix(state: seed ^ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
        guard var round = round(of: number) else { return }
        // Not all at the same time.
        var due = record.now.after(Int64(Double(pause(&random)) * Double.random(in: 0..<1, using: &random)))
        while !Task.isCancelled {
            let wait = due.microseconds - record.now.microseconds
            if wait > 0 { try? await Task.sleep(for: .microseconds(wait)) }
            guard !Task.isCancelled, let current = self.round(of: number) else { return }
            if current != round {
                round = current
                due = max(due, record.now)
            }
            let begun = record.now
            if let act = await person.next(habits.act(of: person.habits, &random), &random) {
                // Without the time of what was outside of the apps.
                await record.perform(act, due: due.after(record.now.microseconds - begun.microseconds))
            }
            due = due.after(pause(&random))
        }
    }

    /// Microseconds.
    private func pause(_ random: inout SplitMix) -> Int64 { Int64(habits.pause(&random) / .microseconds(1)) }
}
