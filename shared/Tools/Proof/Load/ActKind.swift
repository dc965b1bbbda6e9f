/// What people do, as users of the apps name it. What counts as too late for each is in `thresholds.json`.
package enum ActKind: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case openMap, readHome, readPost, comment, like, sendMessage, receiveMessage, readRoom, readCar, sit, searchStation
    case offer, order, pay, readWork, writeRoutine, readInbox, refresh, signIn
}
