public import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit for tests that hang while no other time limit applies. All tests start at once, so the limit
    /// includes the time that a test waits for a slot of ``FewAtOnce``.
    public static var hangLimit: Self { .timeLimit(.minutes(60)) }
}
