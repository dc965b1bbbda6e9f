import Contracts
import FoundationEssentials

/// A room with its members and its newest events in their order.
struct RoomPage {
    let room: OperatorsAPI.Room
    let language: Language

    var html: HTML {
        """
        <p class="facts">\(facts.map { "<span>\($0)</span>" as HTML })\
        <a href="\(Layout.root)/story?q=\("\(room.summary.publicID)")">\(language("stories", "이야기"))</a></p>
        \(ReadersPicture(room: room, language: language).svg)
        \(members)
        <h2>\(language("The newest events in their order", "최근 이벤트, 순서대로"))</h2>
        \(events)
        """
    }

    private var facts: [String] {
        let summary = room.summary
        return [
            summary.app.rawValue, language("number \(summary.id)", "번호 \(summary.id)"), "\(summary.publicID)",
            language("\(summary.lastSequence) events", "이벤트 \(summary.lastSequence)개"),
            language("last message ", "마지막 메시지 ")
                + Figures.instant(Date(timeIntervalSince1970: summary.updatedAt)),
        ]
    }

    private var members: HTML {
        let rows = room.members.map { member -> HTML in
            let isMore = member.unread >= OperatorsAPI.Member.unreadLimit
            return """
                <tr><td>\(.account(member.account)) \(member.nickname)</td><td>\(member.readThrough)</td>\
                <td>\(member.unread)\(isMore ? "+" : "")</td><td>\(member.sockets)</td></tr>

                """
        }
        return """
            <table><thead><tr><th scope="col">\(language("Member", "참여자"))</th>\
            <th scope="col">\(language("Has read to", "읽은 위치"))</th><th scope="col">\(language("Unread", "안 읽음"))</th>\
            <th scope="col">\(language("Open sockets", "열린 소켓"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private var events: HTML {
        guard !room.events.isEmpty else { return "<p class=\"none\">\(language("None yet.", "아직 없습니다."))</p>" }
        return """
            <table><thead><tr><th scope="col">\(language("Number", "순서"))</th><th scope="col">\(language("What", "내용"))</th>\
            <th scope="col">\(language("Sender", "보낸 사람"))</th><th scope="col">\(language("When", "시각"))</th>\
            <th scope="col">\(language("Characters", "글자 수"))</th><th scope="col">\(language("Files", "파일"))</th>\
            <th scope="col">\(language("Read by", "읽은 사람"))</th></tr></thead>
            <tbody>\(room.events.map(row))</tbody></table>
            """
    }

    private func row(_ event: OperatorsAPI.RoomEvent) -> HTML {
        """
        <tr><td>\(event.sequence)</td><td>\(what(event))</td><td>\(.account(event.sender))</td>\
        <td>\(Figures.instant(Date(timeIntervalSince1970: event.at)))</td><td>\(event.length)</td>\
        <td>\(event.files)</td><td>\(event.readers) / \(max(room.members.count - 1, 0))</td></tr>

        """
    }

    private func what(_ event: OperatorsAPI.RoomEvent) -> String {
        switch event.kind {
        case "sent": language("sent", "전송")
        case "edited": language("\(event.message) edited", "\(event.message) 수정")
        case "deleted": language("\(event.message) deleted", "\(event.message) 삭제")
        default: event.kind
        }
    }
}
