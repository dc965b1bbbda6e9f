import Contracts
import InternalClient

/// Where people talk because of a companion post: chat's business, which is asked for it.
struct CompanionTalks: Sendable {
    /// nil while there is no chat.
    let chat: InternalClient?

    /// The room in which somebody talks with the author of a post; nil when they have not talked, and while chat is away: a
    /// first message then finds the room that there is.
    func room(on post: Int64, of inquirer: Int64) async -> ChatAPI.Room? {
        try? await chat?.get(ChatAPI.Room.path(post: post, inquirer: inquirer), deadline: .seconds(1))
    }
}
