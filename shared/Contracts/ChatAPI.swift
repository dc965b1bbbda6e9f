/// What the chat service answers other processes.
package enum ChatAPI {
    /// `GET /internal/rooms?post=POST&inquirer=ACCOUNT` → 200 with the two copies of the room in which somebody asks the author
    /// of one of With Suhyeon's companion posts; 404 when they have not talked of it.
    package struct Room: Codable, Sendable, Equatable {
        package static func path(post: Int64, inquirer: Int64) -> String {
            "/internal/rooms?post=\(post)&inquirer=\(inquirer)"
        }

        /// 24 hexadecimal digits: whose copy is whose.
        package var inquirersCopy: String
        package var authorsCopy: String

        package init(inquirersCopy: String, authorsCopy: String) {
            self.inquirersCopy = inquirersCopy
            self.authorsCopy = authorsCopy
        }
    }
}
