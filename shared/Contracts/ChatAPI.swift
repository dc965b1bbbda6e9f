/// The chat service's API for other processes.
package enum ChatAPI {
    /// `GET /internal/rooms?post=POST&inquirer=ACCOUNT` → 200 with the two sides' ids of the room in which a user talks
    /// to the author of a With Suhyeon companion post; 404 if there is no such room.
    package struct Room: Codable, Sendable, Equatable {
        package static func path(post: Int64, inquirer: AccountID) -> String {
            "/internal/rooms?post=\(post)&inquirer=\(inquirer)"
        }

        /// 24 hexadecimal digits: the room's id for the inquirer.
        package var inquirersCopy: String
        package var authorsCopy: String

        package init(inquirersCopy: String, authorsCopy: String) {
            self.inquirersCopy = inquirersCopy
            self.authorsCopy = authorsCopy
        }
    }
}
