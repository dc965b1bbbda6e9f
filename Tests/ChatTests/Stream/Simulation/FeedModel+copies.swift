import TestKit

@testable import Chat

/// What a copy does by its cursors, as `LiveFeed` and `StreamRoom`.
extension FeedModel {
    /// Starts an operation on the database, or tries it again later.
    func operate(_ operation: FeedTimer, at copy: Int, _ effects: inout Effects<Self>) {
        effects.wake(.copy(copy), after: Int64.random(in: 1...30, using: &effects.random), for: operation)
    }

    /// Ends an operation on the database.
    mutating func end(_ operation: FeedTimer, at copy: Int, _ effects: inout Effects<Self>) {
        switch operation {
        case .locate:
            let announced = copies[copy].cursor?.locate(at: last) ?? 0
            let waiting = copies[copy].waiting
            copies[copy].waiting = []
            advance(copy, through: announced, &effects)
            for connection in waiting { begin(connection, start: last, at: copy, &effects) }
        case .catchUp: advance(copy, through: last, &effects)
        case .read(let number):
            let page = page(after: number)
            guard let isUnfinished = copies[copy].cursor?.read(after: number, last: page.last) else { return }
            for number in page { publish(number, at: copy, &effects) }
            guard !copies[copy].listeners.isEmpty else { return copies[copy].cursor = nil }
            if isUnfinished, let from = copies[copy].cursor?.delivered {
                operate(.read(after: from), at: copy, &effects)
            }
        case .page(let connection): endPage(connection, at: copy, &effects)
        case .connect, .watch, .publish, .closed, .listens: break
        }
    }

    /// At most three events.
    private func page(after number: Int64) -> [Int64] {
        number < last ? Array((number + 1)...min(number + 3, last)) : []
    }

    // MARK: Subscriptions

    mutating func subscribe(
        _ connection: Int,
        of phone: Int,
        after number: Int64,
        at copy: Int,
        _ effects: inout Effects<Self>
    ) {
        let isFirst = copies[copy].listeners.isEmpty
        copies[copy].listeners[connection] = FeedCopy.Listener(phone: phone, after: number)
        guard let cursor = copies[copy].cursor else {
            copies[copy].cursor = .locating(announced: 0)
            copies[copy].waiting = [connection]
            return operate(.locate, at: copy, &effects)
        }
        guard let start = cursor.delivered else { return copies[copy].waiting.append(connection) }
        if isFirst { operate(.catchUp, at: copy, &effects) }
        begin(connection, start: start, at: copy, &effects)
    }

    private mutating func begin(_ connection: Int, start: Int64, at copy: Int, _ effects: inout Effects<Self>) {
        guard let after = copies[copy].listeners[connection]?.after else { return }
        copies[copy].listeners[connection]?.cursor.begin(after: after, start: start)
        continuePages(connection, at: copy, &effects)
    }

    private mutating func continuePages(_ connection: Int, at copy: Int, _ effects: inout Effects<Self>) {
        if copies[copy].listeners[connection]?.cursor.next() != nil {
            operate(.page(connection), at: copy, &effects)
        } else {
            copies[copy].listeners[connection]?.hasBegun = true
        }
    }

    private mutating func endPage(_ connection: Int, at copy: Int, _ effects: inout Effects<Self>) {
        guard let listener = copies[copy].listeners[connection],
            let (after, _) = copies[copy].listeners[connection]?.cursor.next()
        else { return }
        let page = page(after: after)
        guard let end = page.last else { return }
        effects.send(.events(page, on: connection), from: .copy(copy), to: .phone(listener.phone))
        copies[copy].listeners[connection]?.cursor.send(through: end)
        continuePages(connection, at: copy, &effects)
    }

    // MARK: Events

    mutating func deliver(_ number: Int64, at copy: Int, _ effects: inout Effects<Self>) {
        var isNext = copies[copy].cursor?.take(number) ?? false
        if defect == .skipsMissingEvents, case .at(let delivered) = copies[copy].cursor, number > delivered {
            copies[copy].cursor = .at(number)
            isNext = true
        }
        guard isNext else { return advance(copy, through: number, &effects) }
        guard !copies[copy].listeners.isEmpty else { return copies[copy].cursor = nil }
        publish(number, at: copy, &effects)
    }

    private mutating func publish(_ number: Int64, at copy: Int, _ effects: inout Effects<Self>) {
        for connection in copies[copy].connections {
            guard let listener = copies[copy].listeners[connection] else { continue }
            if defect == .forgetsNewEvents, !listener.hasBegun { continue }
            guard copies[copy].listeners[connection]?.cursor.take(number) == true else { continue }
            effects.send(.events([number], on: connection), from: .copy(copy), to: .phone(listener.phone))
        }
    }

    mutating func advance(_ copy: Int, through number: Int64, _ effects: inout Effects<Self>) {
        guard copies[copy].cursor?.advance(through: number) == true else { return }
        guard !copies[copy].listeners.isEmpty else { return copies[copy].cursor = nil }
        if let from = copies[copy].cursor?.delivered { operate(.read(after: from), at: copy, &effects) }
    }

    mutating func listen(_ copy: Int, _ effects: inout Effects<Self>) {
        copies[copy].isDeaf = false
        guard defect != .missesNotifications else { return }
        if copies[copy].listeners.isEmpty, case .at = copies[copy].cursor { copies[copy].cursor = nil }
        operate(.catchUp, at: copy, &effects)
    }
}
