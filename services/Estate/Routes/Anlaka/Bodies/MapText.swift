import Clustering
import Contracts
import HTTPTypes
import Hummingbird

extension EstateText {
    /// - Parameter counts: Range of the sizes of all clusters in the view, for the size of the pin.
    mutating func append(_ cluster: MapView.Cluster, among counts: ClosedRange<Int>) {
        let size = (PinSize.size(count: cluster.count, among: counts) * 10).rounded() / 10
        append(#"{"cluster_id":"\#(cluster.id.rawValue)","count":\#(cluster.count),"size":\#(size),"geolocation":"#)
        append(cluster.centre)
        let bounds = cluster.bounds
        append(#","bounds":{"south":\#(bounds.south),"west":\#(bounds.west),"north":\#(bounds.north),"east":"#)
        append(bounds.east)
        append(#"},"estate_ids":["#)
        append(cluster.members)
        append("]}")
    }

    mutating func append(_ single: MapView.Single) {
        append(#"{"estate_id":"\#(single.publicID.rawValue)","geolocation":"#)
        append(single.place)
        if let card = single.card {
            append(#","category":"#)
            append(string: card.category)
            append(#","deposit":\#(card.deposit),"monthly_rent":\#(card.monthlyRent)"#)
            if let path = card.thumbnail {
                append(#","thumbnail":"#)
                append(string: path)
            }
        }
        append("}")
    }
}

extension Response {
    /// `{"clusters":[…],"estates":[…]}`
    static func map(_ view: MapView) -> Response {
        var text = EstateText(capacity: 64 + 3000 * view.clusters.count + 200 * view.singles.count)
        let counts = view.clusters.map(\.count)
        let range = (counts.min() ?? 0)...(counts.max() ?? 0)
        text.append(#"{"clusters":["#)
        for (index, cluster) in view.clusters.enumerated() {
            if index > 0 { text.append(",") }
            text.append(cluster, among: range)
        }
        text.append(#"],"estates":["#)
        for (index, single) in view.singles.enumerated() {
            if index > 0 { text.append(",") }
            text.append(single)
        }
        text.append("]}")
        return Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: text.buffer)
        )
    }
}
