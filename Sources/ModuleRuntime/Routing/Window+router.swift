extension Window {
    /// A window with nothing in it that opens the routes of a router.
    public convenience init(router: Router) { self.init(source: router, outside: nil) }
}
