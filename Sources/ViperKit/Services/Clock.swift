extension ServiceKey where Service == any Clock<Duration> {
    /// A clock for reading the time and for sleeping, named `clock` in manifests.
    ///
    /// The host provides this service. Tests can provide a clock that they advance manually.
    public static var clock: Self { Self("clock") }
}
