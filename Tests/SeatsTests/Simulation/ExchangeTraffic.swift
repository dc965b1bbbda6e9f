import Contracts
import TestKit

@testable import Seats

enum ExchangeParty: Hashable, Sendable, CustomStringConvertible {
    case phone(Int)
    /// A copy of the seats service. All share one database.
    case copy(Int)

    var description: String {
        switch self {
        case .phone(let number): "phone \(number)"
        case .copy(let number): "copy \(number)"
        }
    }
}

/// What the user of a phone does. The phone chooses the seat and the passenger by what it shows then.
enum ExchangeInput: Sendable, CustomStringConvertible {
    enum Tap: Sendable {
        case sit, leave, request(Int64), cancel, accept, reject, start, unlock
    }

    /// A double tap sends the call twice.
    case tap(phone: Int, Tap, isDouble: Bool)
    /// The train of a passenger's journey arrives.
    case arrive(passenger: Int)

    var description: String {
        switch self {
        case .tap(let phone, let tap, let isDouble): "phone \(phone): \(isDouble ? "double " : "")tap on \(tap)"
        case .arrive(let passenger): "passenger \(passenger) arrives"
        }
    }
}

/// What a transaction is for: a call of a passenger, or a job.
enum ExchangeWork: Sendable, Equatable, CustomStringConvertible {
    case occupy(SeatID, AccountID)
    case release(AccountID)
    case request(SeatID, AccountID, Int64)
    case cancel(SeatID, AccountID)
    case accept(SeatID, owner: AccountID, requester: AccountID)
    case reject(SeatID, owner: AccountID, requester: AccountID)
    case start(AccountID)
    case arrive(AccountID)
    case unlock(AccountID)
    case expire(YieldRequest)
    case sweep(Occupancy)

    var description: String {
        switch self {
        case .occupy(let seat, let account): "\(account) sits down on \(seat)"
        case .release(let account): "\(account) gets up"
        case .request(let seat, let account, let amount): "\(account) offers \(amount) for \(seat)"
        case .cancel(let seat, let account): "\(account) cancels the request for \(seat)"
        case .accept(let seat, let owner, let requester): "\(owner) yields \(seat) to \(requester)"
        case .reject(let seat, let owner, let requester): "\(owner) refuses \(seat) to \(requester)"
        case .start(let account): "\(account) starts a journey"
        case .arrive(let account): "\(account) arrives"
        case .unlock(let account): "\(account) unlocks the seat maps"
        case .expire(let request): "request \(request.id) expires"
        case .sweep(let held): "the lease of \(held.seat) ends"
        }
    }
}

enum ExchangeMessage: Sendable, CustomStringConvertible {
    /// The number is that of the tap: repetitions have the same one.
    case call(ExchangeWork, number: Int)
    case answer(number: Int, SeatsError?)
    /// A phone opens a socket and reads the maps of the cars.
    case connect
    case maps([AccountID?], through: Int)
    /// Messages to a socket, of those with greater ids than `after` up to `through`.
    case frames([LiveRow], after: Int, through: Int)
    /// What a socket should have received; a phone that has not lost its connection.
    case ping(through: Int)
    /// From one copy to another: a transaction has written messages.
    case written([LiveRow])

    var description: String {
        switch self {
        case .call(let work, _): "\(work)"
        case .answer(_, let error): error.map { "\($0)" } ?? "done"
        case .connect: "connects"
        case .maps(_, let through): "maps up to message \(through)"
        case .frames(let rows, _, _): "messages \(rows.map(\.id))"
        case .ping(let through): "ping after \(through)"
        case .written(let rows): "messages \(rows.map(\.id)) are written"
        }
    }
}

enum ExchangeTimer: Sendable, CustomStringConvertible {
    /// The next statement of a transaction.
    case statement(Int)
    /// A copy looks for what is due, and for messages that were not announced to it.
    case jobs
    case pings
    /// A phone has no answer yet.
    case timeout(number: Int)
    /// A phone looks whether its connection has ended.
    case watch

    var description: String {
        switch self {
        case .statement(let number): "transaction \(number) goes on"
        case .jobs: "does what is due"
        case .pings: "pings its sockets"
        case .timeout: "gets no answer"
        case .watch: "looks after its connection"
        }
    }
}
