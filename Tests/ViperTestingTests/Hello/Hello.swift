import ViperKit

@c(viper_entry_v1_Hello)
public func helloModule() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }

final class Hello: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<Hello>) {
        registrar.route("hello") { _, request in HelloView(name: try request.parameter("name", as: String.self)) }
    }
}

final class HelloView: View {
    let screen: Screen

    init(name: String) { screen = Screen(title: "Hello, \(name)") }
}
