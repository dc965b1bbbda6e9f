import Contracts

extension RouteTable {
    /// What people are told of, in the apps that have no calls of their own for it.
    ///
    /// - Parameter path: where the lists are.
    static func notices(below path: String) -> [Entry] {
        [path, "\(path)/announcements"].flatMap { list in
            [
                Entry.on([.get, .delete], list, .notifications),
                .patch("\(list)/read", .notifications),
                .delete("\(list)/{notificationId}", .notifications),
                .patch("\(list)/{notificationId}/read", .notifications),
            ]
        } + [.on([.get, .put], "\(path)/preferences", .notifications)]
    }
}
