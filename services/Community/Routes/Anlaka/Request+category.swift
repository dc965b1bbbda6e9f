import AppWire
import Hummingbird
import ServiceHost

extension Request {
    /// `category`; nil when it is not there, or empty. Any text is fine, and one that no post has finds none.
    ///
    /// - Throws: `Problem` (400) for what no text may hold.
    func category() throws -> String? {
        guard let text = query("category"), !text.isEmpty else { return nil }
        guard !text.utf8.contains(0), text.utf8.count <= 200 else {
            throw Problem(.badParameter, message: "category must be a category's name.")
        }
        return text
    }
}
