import Contracts
import FoundationEssentials

/// One push to one phone, taken to be sent.
struct Push: Sendable {
    var id: Int64
    var device: Int64
    /// How often what it says had changed when it was taken.
    var revision: Int
    var app: App
    var account: Int64
    var token: String
    /// The same each time that it is tried.
    var message: UUID
    var content: PushContent
    var sender: Int64?
    /// What the app's icon shows: how much its owner has not read.
    var badge: Int
    var createdAt: Date
    /// How often it was tried before.
    var attempts: Int
}
