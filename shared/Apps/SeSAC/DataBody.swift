/// An unpaged list of the SeSAC apps: `{"data": […]}`.
package struct DataBody<Element: Encodable>: Encodable {
    package var data: [Element]

    package init(data: [Element]) {
        self.data = data
    }
}
