extension ServiceKey where Service == any Clock<Duration> {
    /// A clock that reads the time and sleeps, named `clock` in manifests.
    ///
    /// The host provides this service. Tests can provide a clock that they control.
    public static var clock: Self { Self("clock") }
}
