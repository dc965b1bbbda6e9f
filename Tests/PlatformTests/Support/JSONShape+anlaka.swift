/// The bodies that Anlaka decodes (contract 1.7).
extension JSONShape {
    enum Anlaka {
        static let user = JSONShape.object(
            ["user_id": .id, "nick": .text],
            optional: ["introduction": .text, "profileImage": .text]
        )

        private static let said: [String: JSONShape] = [
            "comment_id": .id, "content": .text, "createdAt": .instant, "creator": user,
        ]
        /// The response to creating or changing a comment.
        static let reply = JSONShape.object(said)
        static let comment = JSONShape.object(said.merging(["replies": .list(reply)]) { $1 })

        private static let summed: [String: JSONShape] = [
            "post_id": .id, "category": .text, "title": .text, "content": .text,
            "geolocation": .object(["longitude": .number, "latitude": .number]), "creator": user, "files": .list(.text),
            "is_like": .flag, "like_count": .integer, "createdAt": .instant, "updatedAt": .instant,
        ]
        static let summary = JSONShape.object(summed)
        static let post = JSONShape.object(summed.merging(["comments": .list(comment)]) { $1 })
        static let page = JSONShape.object(["data": .list(summary), "next_cursor": .text])
        /// The posts found by title, without pages.
        static let found = JSONShape.object(["data": .list(summary)])
    }
}
