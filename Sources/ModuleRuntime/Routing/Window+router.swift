extension Window {
    /// Creates an empty window that opens a router's routes.
    package convenience init(router: Router) { self.init(source: router, outside: nil, identity: "") }
}
