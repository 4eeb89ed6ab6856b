public import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit for a test that hangs outside a wait with its own limit. All tests start at once, so the time
    /// includes waiting for a slot of ``FewAtOnce``.
    public static var hangLimit: Self { .timeLimit(.minutes(60)) }
}
