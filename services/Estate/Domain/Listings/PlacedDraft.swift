import Contracts
import Geography

/// A listing about to be made, with its id, and with where others will be told that it is.
struct PlacedDraft: Sendable {
    let draft: ListingDraft
    let publicID: String
    let shown: Coordinate
    let cell: Int64

    init(_ draft: ListingDraft, by creator: Int64, veil: PositionVeil) {
        self.draft = draft
        publicID = PublicID.random()
        shown = veil.shown(draft.place, of: creator)
        cell = MapTile.cell(of: shown)
    }
}
