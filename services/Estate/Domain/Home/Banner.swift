/// What the home screen shows between its topics (Anlaka contract 2.3, call 25): the app wants two at least, and opens the
/// page behind one that is touched.
struct Banner: Sendable, Equatable {
    var name: String
    /// The last part of the picture's path.
    var file: String
    /// A PNG.
    var picture: [UInt8]
    /// The path of the page, from the host.
    var page: String

    static let all = [
        Banner(
            name: "매일 출석하고 혜택 받기",
            file: "attendance.png",
            picture: PackageResources.attendance_png,
            page: "/event-application"
        ),
        Banner(
            name: "이번 달 출석 도장 보러 가기",
            file: "stamps.png",
            picture: PackageResources.stamps_png,
            page: "/event-application"
        ),
    ]
}
