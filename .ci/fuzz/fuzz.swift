// libFuzzer targets for the parsers of untrusted input. `.ci/fuzz/run` compiles and runs them.
import Dispatch
import FoundationEssentials
import Glibc
import ViperKit

@testable import DataProviders
@testable import HostSystem
@testable import JSONRPC
@testable import ModuleCatalog
@testable import ModuleIsolation
@testable import ModuleRuntime
@testable import ViperRuntime

private let target = getenv("TARGET").map { String(cString: $0) } ?? ""

/// Starts libFuzzer again on a thread of its own, because the modules of the target `session` need the main thread.
///
/// The parameters are pointers because this is the boundary to libFuzzer, which is written in C++.
@c(LLVMFuzzerInitialize)
public func start(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    // libFuzzer calls this function on both threads.
    guard pthread_equal(pthread_self(), mainThread) != 0, let count, let arguments else { return 0 }
    // The variables of `main` end with the call of `dispatchMain`, so their values are copied.
    let driver = Driver(count: count.pointee, arguments: arguments.pointee)
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { pointer in
            // A C function has no context, so the argument is passed as a raw pointer.
            guard let pointer else { return nil }
            let driver = Unmanaged<Driver>.fromOpaque(pointer).takeRetainedValue()
            var (count, arguments) = (driver.count, driver.arguments)
            exit(LLVMFuzzerRunDriver(&count, &arguments, fuzz))
        }, Unmanaged.passRetained(driver).toOpaque())
    dispatchMain()
}

private let mainThread = pthread_self()

/// The arguments of libFuzzer's `main`, for the other thread.
private final class Driver {
    let count: CInt
    let arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

    init(count: CInt, arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
        (self.count, self.arguments) = (count, arguments)
    }
}

private struct Person: Record {
    var id: String
    var name: String
    var age: Int
}

/// Runs one input through the target that `TARGET` names. libFuzzer calls this function on one thread and owns the
/// bytes, so they are copied.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    switch target {
    case "collection": collection(bytes)
    case "crash": crash(bytes)
    case "elf": elf(bytes)
    case "index": index(bytes)
    case "json": json(bytes)
    case "manifest": manifest(bytes)
    case "message": messages(bytes)
    case "parameters": parameters(String(decoding: bytes, as: UTF8.self))
    case "report": report(bytes)
    case "resources": resources(bytes)
    case "screen": screen(bytes)
    case "session": session(bytes)
    case "text": text(String(decoding: bytes, as: UTF8.self))
    default: fatalError("TARGET=\(target) is unknown")
    }
    return 0
}

private func scanned(_ bytes: [UInt8], _ name: String) -> JSONText? {
    try? JSONText(name: name, data: Data(bytes), purpose: .init(code: .fileMalformed, operation: "cannot read"))
}

private func elf(_ bytes: [UInt8]) {
    if let elf = try? ElfFile(bytes) {
        _ = try? elf.linkage()
        _ = try? elf.buildID()
    }
    _ = try? EmbeddedManifest.read(in: bytes, named: "x.so")
    _ = try? ResourceIndex.read(inFileOf: bytes.count, ElfFile.parts(of: bytes))
    if let version = InterfaceVersion("1.0") { _ = try? LibraryCheck(bytes, of: "x.so", for: version) }
}

/// Decodes an index of packed resources, with its size before it. Its files are without gaps, and have distinct names.
private func resources(_ bytes: [UInt8]) {
    guard let index = try? ResourceIndex(decoding: bytes.dropFirst(8)) else { return }
    guard index.files.allSatisfy({ isPlainPath($0.name) && index.file(named: $0.name)?.file == $0 }),
        index.files.reduce(0, { $0 + $1.size }) == index.contentSize,
        (try? ResourceIndex(decoding: index.bytes.dropFirst(8))) == index
    else { fatalError("the index is inconsistent") }
}

/// Decodes the content of an index. A fuzzer cannot guess the checksum at its beginning, so it is skipped.
private func index(_ bytes: [UInt8]) {
    var reader = IndexReader(bytes[...])
    guard (try? reader.number()) != nil, (try? IndexSources(from: &reader)) != nil else { return }
    let manifests = try? reader.list { reader throws(IndexReader.Damage) in
        _ = (try reader.text(), try FileIdentity(from: &reader))
        return try Manifest(from: &reader)
    }
    for manifest in manifests ?? [] {
        var again = IndexReader(manifest.bytes[...])
        guard (try? Manifest(from: &again).bytes) == manifest.bytes, again.rest.isEmpty else {
            fatalError("a manifest of the index is not read back as it was")
        }
    }
}

private func manifest(_ bytes: [UInt8]) {
    guard let manifest = try? Manifest(text: Data(bytes), named: "m.json") else { return }
    guard let text = try? FoundationJSONCoder().encode(manifest),
        let again = try? Manifest(text: Data(text), named: "m.json"), again == manifest
    else { fatalError("a manifest is not read back as it was") }
    for route in manifest.routes { _ = route.usage }
    _ = try? manifest.configuration(under: Settings())
}

private func json(_ bytes: [UInt8]) {
    guard let text = scanned(bytes, "j.json") else { return }
    do {
        let value = try text.decode(JSONValue.self)
        guard let written = try? FoundationJSONCoder().encode(value) else { fatalError("a value cannot be written") }
        checkHarmless(String(decoding: written, as: UTF8.self))
        guard let again = try? FoundationJSONCoder().decode(JSONValue.self, from: written, named: "j.json"),
            areEqual(again, value)
        else { fatalError("a value is not read back as it was") }
    } catch {
        // The decoder may reject valid JSON only for a number that no type can hold.
        if !bytes.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            fatalError("the scanner accepts what the decoder does not: \(error)")
        }
    }
}

/// Compares two values. Numbers are equal if they are the same `Double`: the `Double` nearest to 77777777777777777.7 is
/// written as 7.777777777777778e+16, which is read as an integer.
private func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)):
        left.count == right.count && zip(left, right).allSatisfy(areEqual)
    case (.object(let left), .object(let right)):
        left.count == right.count && left.allSatisfy { key, value in right[key].map { areEqual(value, $0) } ?? false }
    case (.integer, .integer), (.large, .large): left == right
    default:
        if let left = left.double, let right = right.double { left == right } else { left == right }
    }
}

extension JSONValue {
    fileprivate var double: Double? {
        switch self {
        case .integer(let whole): Double(whole)
        case .large(let whole): Double(whole)
        case .number(let number): number
        default: nil
        }
    }
}

private func messages(_ bytes: [UInt8]) {
    var buffer = LineBuffer(longest: 4096)
    for line in buffer.take(bytes) + buffer.takeRest() {
        guard let line, let whole = try? MessageContent(line: line) else { continue }
        for content in whole.members.map({ Array($0) }) ?? [whole] {
            guard let message = try? Message(content) else { continue }
            _ = try? message.content.parameters(SceneCall.self)
            _ = try? message.content.parameters(SubscribeCall.self)
            if let call = try? message.content.parameters(EventCall.self) { _ = try? call.event.event() }
            if let call = try? message.content.parameters(OpenCall.self) {
                _ = try? UnvalidatedParameters(call.parameters ?? [:])
            }
            _ = try? message.content.notification(ClosedNotification.self)
            _ = try? message.content.result(SceneState.self)
        }
    }
}

private func parameters(_ text: String) {
    for type in [ParameterType.string, .integer, .number, .boolean] {
        guard let value = try? type.value(from: [text]) else { continue }
        if (try? type.value(from: value)) == nil { fatalError("a value is not of its type") }
        // An array accepts what its items accept.
        if (try? type.array.value(from: .array([value]))) == nil { fatalError("an array refuses its item") }
    }
    _ = nearestNames(to: text, in: ["home", "list", "people/add", text + "x"])
    _ = InterfaceVersion(text)
    _ = HTTPRequest(method: "GET", url: text).redactedURL
    _ = Digest(text)
}

private func text(_ text: String) {
    for clean in [printable(text), printableLines(text), TextStyle(isColoured: false).printable(text)] {
        checkHarmless(clean)
        if printableLines(clean) != clean { fatalError("a harmless text is changed") }
    }
    _ = TextStyle(isColoured: true).printable(text)
    _ = padded(printable(text), to: 20)
}

private func checkHarmless(_ text: String) {
    var harmful = HarmfulScalars()
    for scalar in text.unicodeScalars where harmful.contains(scalar) && scalar != "\n" {
        fatalError("U+\(String(scalar.value, radix: 16)) is in the output")
    }
}

private func collection(_ bytes: [UInt8]) {
    let file = CollectionFile(path: "c.json", data: Data(bytes))
    let people = try? file.decode(Person.self)
    guard let collection = try? file.collection() else {
        if people != nil { fatalError("records without a collection") }
        return
    }
    let again = CollectionFile(path: "c.json", data: Data(CollectionFile.content(collection)))
    guard let read = try? again.collection(), Array(read.all) == Array(collection.all),
        (try? again.decode(Person.self))?.map(\.id) == people?.map(\.id)
    else { fatalError("a collection is not read back as it was") }
    if let first = people?.first, (try? file.decode(Person.self, id: first.id)) == nil {
        fatalError("a record is lost")
    }
}

private func report(_ bytes: [UInt8]) {
    if let report = try? FoundationJSONCoder().decode(QuarantineReport.self, from: bytes, named: "q.json") {
        _ = report.refusal
    }
}

private func crash(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = CrashReport(readFrom: text)
    _ = LogLevel.read(text, of: "m")
    var lines = LineSplitter()
    for piece in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
        _ = lines.lines(completedBy: piece)
    }
    _ = lines.finish()
    var excerpt = OutputExcerpt()
    excerpt.append(bytes)
    _ = excerpt.text
}

private func screen(_ bytes: [UInt8]) {
    guard let screen = try? scanned(bytes, "s.json")?.decode(Screen.self) else { return }
    checkHarmless(TextRenderer(style: TextStyle(isColoured: false), isNumbered: true).render(screen))
    if let line = try? renderJSONLine(screen) { checkHarmless(line) }
}

/// A server in this process, with the modules of the root that `ROOT` names.
private let server: Server = {
    func folder(_ name: String) -> String {
        guard let path = getenv(name) else { fatalError("\(name) is unset") }
        return String(cString: path)
    }
    let root = Root(path: folder("ROOT"), executableFolder: folder("PRODUCTS"))
    var configuration = ViperHost.Configuration(root: root)
    configuration.settings.stateFolder = folder("ROOT") + "/state"
    var limits = Limits()
    // A connection counts until its scenes are closed, which may be after the next input.
    limits.connections = .max
    do { return Server(try ViperHost(configuration), limits: limits) { _ in } } catch { fatalError("\(error)") }
}()

/// Sends the bytes to a server as one client, and reads all answers. Each answer is a message and is harmless.
private func session(_ bytes: [UInt8]) {
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
        fatalError("cannot create a socket pair: \(errno)")
    }
    server.serve(reading: ends[1], writing: ends[1])
    // A socket holds this much, so the fuzzer need not read and write at the same time.
    _ = bytes.withUnsafeBytes { send(ends[0], $0.baseAddress, min($0.count, 1 << 16), CInt(MSG_NOSIGNAL)) }
    shutdown(ends[0], CInt(SHUT_WR))
    var buffer = LineBuffer(longest: 1 << 20)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = recv(ends[0], &piece, piece.count, 0)
        if count <= 0 { break }
        for case let line? in buffer.take(Array(piece[..<count])) {
            guard (try? MessageContent(line: line)) != nil else { fatalError("an answer is no message") }
            checkHarmless(String(decoding: line, as: UTF8.self))
        }
    }
    close(ends[0])
}
