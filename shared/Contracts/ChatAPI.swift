/// The chat service's API for other processes.
package enum ChatAPI {
    /// `GET /internal/rooms?post=POST&inquirer=ACCOUNT` → 200 with the two sides' ids of the room in which a user talks
    /// to the author of a With Suhyeon companion post; 404 if there is no such room.
    package struct Room: Codable, Sendable, Equatable {
        package static func path(post: CompanionPostID, inquirer: AccountID) -> String {
            "/internal/rooms?post=\(post)&inquirer=\(inquirer)"
        }

        /// The room's id for the inquirer.
        package var inquirersCopy: PublicID
        package var authorsCopy: PublicID

        package init(inquirersCopy: PublicID, authorsCopy: PublicID) {
            self.inquirersCopy = inquirersCopy
            self.authorsCopy = authorsCopy
        }
    }
}
