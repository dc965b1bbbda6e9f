import Contracts
import FoundationEssentials
import TestKit

/// The size of the crash test: small in every run of the tests, large with `CHAT_CRASH_FULL=1`.
struct CrashPlan: Sendable {
    var rooms = 6
    /// The count of clients; a room has two users, who share its clients.
    var clients = 24
    var messages = 1536
    /// Milliseconds between two kills.
    var pause = 700..<1500
    /// The longest pause of a client between two messages, in milliseconds.
    var thinking = 300
    /// `CHAT_CRASH_SEED`.
    var seed: UInt64 = 86

    static var current: CrashPlan {
        let environment = ProcessInfo.processInfo.environment
        var plan = CrashPlan()
        if environment["CHAT_CRASH_FULL"] == "1" {
            (plan.rooms, plan.clients, plan.messages) = (20, 100, 20_000)
            (plan.pause, plan.thinking) = (2000..<4000, 1000)
        }
        if let seed = environment["CHAT_CRASH_SEED"].flatMap({ UInt64($0) }) { plan.seed = seed }
        return plan
    }

    var people: Int { 2 * rooms }
    /// The count of messages of each client.
    var share: Int { messages / clients }

    /// The account of a client. Accounts are counted from 1; a room has 1 and 2, the next 3 and 4.
    func owner(of client: Int) -> AccountID { AccountID(rawValue: Int64(client % people + 1)) }

    /// The room's index in the list.
    func room(of client: Int) -> Int { client % people / 2 }

    /// The count of messages that a room has in the end.
    func total(of room: Int) -> Int64 { Int64((0..<clients).count { self.room(of: $0) == room } * share) }
}
