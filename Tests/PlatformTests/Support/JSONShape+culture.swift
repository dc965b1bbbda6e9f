/// The bodies that Seoul Culture decodes (contract 1.2, 2, 5.1).
extension JSONShape {
    enum Culture {
        static let user = JSONShape.object(["user_id": .id, "nick": .text], optional: ["profileImage": .text])
        static let comment = JSONShape.object([
            "comment_id": .id, "content": .text, "createdAt": .instant, "creator": user,
        ])

        /// The shape has our two counts, which the present client does not know.
        static let post = JSONShape.object(
            [
                "post_id": .id, "createdAt": .instant, "creator": user, "files": .list(.text), "likes": .list(.id),
                "likes2": .list(.id), "hashTags": .list(.text), "comments": .list(comment), "buyers": .list(.id),
                "like_count": .integer, "comment_count": .integer,
            ],
            optional: [
                "product_id": .text, "title": .text, "content": .text, "content1": .text, "content2": .text,
                "content3": .text, "content4": .text, "content5": .text, "price": .integer,
            ]
        )
        static let page = JSONShape.object(["data": .list(post), "next_cursor": .text])

        private static let shown: [String: JSONShape] = [
            "user_id": .id, "nick": .text, "followers": .list(user), "following": .list(user), "posts": .list(.id),
        ]
        static let profile = JSONShape.object(shown, optional: ["profileImage": .text])
        static let ownProfile = JSONShape.object(
            shown.merging(["email": .text]) { $1 },
            optional: ["phoneNum": .text, "birthDay": .text, "profileImage": .text]
        )
        static let follow = JSONShape.object(["nick": .text, "opponent_nick": .text, "following_status": .flag])

        /// Rows of the city's calendar, whose members are all texts.
        private static let row = JSONShape.object(
            Dictionary(
                uniqueKeysWithValues: [
                    "CODENAME", "GUNAME", "TITLE", "DATE", "PLACE", "ORG_NAME", "USE_TRGT", "USE_FEE", "INQUIRY",
                    "PLAYER",
                    "PROGRAM", "ETC_DESC", "ORG_LINK", "MAIN_IMG", "RGSTDATE", "TICKET", "STRTDATE", "END_DATE",
                    "THEMECODE", "LOT", "LAT", "IS_FREE", "HMPG_ADDR", "PRO_TIME",
                ].map { ($0, .text) }
            )
        )
        static let openData = JSONShape.object([
            "culturalEventInfo": .object([
                "list_total_count": .integer, "RESULT": .object(["CODE": .text, "MESSAGE": .text]), "row": .list(row),
            ])
        ])

        /// Ours, for new clients.
        static let event = JSONShape.object(
            [
                "event_id": .id, "title": .text, "category": .text, "district": .text, "place": .text,
                "organization": .text,
                "audience": .text, "fee": .text, "isFree": .flag, "isFavorite": .flag,
            ],
            optional: [
                "startDate": .text, "endDate": .text, "time": .text, "performers": .text, "programme": .text,
                "remarks": .text, "inquiry": .text, "theme": .text, "image": .text, "link": .text, "homepage": .text,
                "latitude": .number, "longitude": .number, "distance": .number,
            ]
        )
        static let events = JSONShape.object(["data": .list(event), "next_cursor": .text])
        static let favorite = JSONShape.object(["event_id": .id, "isFavorite": .flag])
    }
}
