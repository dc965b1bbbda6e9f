import Contracts
import Values

/// A draft with its public ID, public position and map cell.
struct PlacedDraft: Sendable {
    let draft: ListingDraft
    let publicID: PublicID
    let shown: Coordinate
    let cell: Int64

    init(_ draft: ListingDraft, by creator: AccountID, veil: LocationObfuscator) {
        self.draft = draft
        publicID = PublicID.random()
        shown = veil.shown(draft.place, of: creator)
        cell = MapTile.cell(of: shown)
    }
}
