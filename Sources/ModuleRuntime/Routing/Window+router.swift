extension Window {
    /// Creates an empty window that opens the routes of a router.
    public convenience init(router: Router) { self.init(source: router, outside: nil) }
}
