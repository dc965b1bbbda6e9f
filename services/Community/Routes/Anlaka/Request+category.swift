import Apps
import Hummingbird
import ServiceKit

extension Request {
    /// `category`; nil when it is absent or empty. Any text is accepted; an unknown one matches no post.
    ///
    /// - Throws: `Problem` (400) for a text that is too long or has NUL characters.
    func category() throws -> String? {
        guard let text = query("category"), !text.isEmpty else { return nil }
        guard !text.utf8.contains(0), text.utf8.count <= 200 else {
            throw Problem(.badParameter, message: "category must be a category's name.")
        }
        return text
    }
}
