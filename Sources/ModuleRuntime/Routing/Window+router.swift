extension Window {
    /// Creates an empty window that opens a router's routes.
    public convenience init(router: Router) { self.init(source: router, outside: nil, identity: "") }
}
