import Contracts
import FoundationEssentials

/// Something that all phones of somebody are to be told.
struct PushOrder: Sendable, Equatable {
    var account: Int64
    var content: PushContent
    /// Who caused it, where people can have them kept quiet.
    var sender: Int64?
    /// Several happenings are told of in one push, while it waits: the last one's words count.
    var grouping: String?
    /// Not before.
    var due: Date
}
