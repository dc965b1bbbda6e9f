/// A PostgreSQL type with its fixed object ids (`pg_type.dat` in PostgreSQL's source).
package struct PostgresType: Sendable, Hashable {
    /// The id of the type, and of arrays of it.
    package var oid: UInt32
    package var arrayOID: UInt32

    package init(oid: UInt32, arrayOID: UInt32) {
        self.oid = oid
        self.arrayOID = arrayOID
    }

    package static let bool = PostgresType(oid: 16, arrayOID: 1000)
    package static let bytea = PostgresType(oid: 17, arrayOID: 1001)
    package static let int8 = PostgresType(oid: 20, arrayOID: 1016)
    package static let int2 = PostgresType(oid: 21, arrayOID: 1005)
    package static let int4 = PostgresType(oid: 23, arrayOID: 1007)
    package static let text = PostgresType(oid: 25, arrayOID: 1009)
    package static let json = PostgresType(oid: 114, arrayOID: 199)
    package static let float4 = PostgresType(oid: 700, arrayOID: 1021)
    package static let float8 = PostgresType(oid: 701, arrayOID: 1022)
    package static let date = PostgresType(oid: 1082, arrayOID: 1182)
    package static let timestamp = PostgresType(oid: 1114, arrayOID: 1115)
    package static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185)
    package static let uuid = PostgresType(oid: 2950, arrayOID: 2951)
    package static let jsonb = PostgresType(oid: 3802, arrayOID: 3807)

    /// The first id of types created by `CREATE TYPE` and by extensions.
    static let firstUserDefinedOID: UInt32 = 16384
}
