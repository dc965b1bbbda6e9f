import Contracts
import ServiceKit

/// The chat rooms of companion posts, requested from chat.
struct WithSuhyeonChatRooms: Sendable {
    /// nil when chat is not configured.
    let chat: InternalClient?

    /// The room of an inquirer and a post; nil when there is none, and while chat is unavailable: the first message
    /// then uses the existing room.
    func room(on post: CompanionPostID, of inquirer: AccountID) async -> ChatAPI.Room? {
        try? await chat?.get(ChatAPI.Room.path(post: post, inquirer: inquirer), deadline: .seconds(1))
    }
}
