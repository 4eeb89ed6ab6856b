import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import JSONRPC
@testable import ModuleIsolation
@testable import ModuleRuntime

struct SceneMessagesTests {
    private let coder = FoundationJSONCoder()

    @Test("Events are passed on unchanged, including a scene's result")
    func events() throws {
        let result = try SceneResult(["a": [1, 2], "b": []])
        let events: [Event] = [
            .press(action: "add"), .select(row: ""), .act(row: "7", action: ""), .fill(field: "name", text: "Ada \"\n"),
            .returned(from: "people/add", result: result),
        ]
        for event in events {
            let json = try coder.encode(SceneEvent(event))
            #expect(try coder.decode(SceneEvent.self, from: json, named: "event").event() == event)
        }
        let nothing = try coder.decode(SceneEvent.self, from: Array(#"{"returned":"x"}"#.utf8), named: "event")
        #expect(try nothing.event() == .returned(from: "x", result: SceneResult(JSONValue.null)))
    }

    @Test(
        "Any JSON value is passed on unchanged",
        arguments: [
            "null", "true", "7", "-0.5", "1e300", "18446744073709551615", #""x""#, "[]", "{}",
            #"{"a":[1,{"b":null}],"c":"\u00e9"}"#,
        ])
    func values(text: String) throws {
        let value = try coder.decode(JSONValue.self, from: Array(text.utf8), named: "value")
        let again = try coder.decode(JSONValue.self, from: coder.encode(value), named: "value")
        #expect(value == again)
        #expect(try !text.hasPrefix("1844") || coder.encode(value) == Array(text.utf8))
        #expect(try JSONValue(value.sceneResult()) == value)
    }

    @Test("Unknown members are ignored in events, screens, errors and notifications")
    func growth() throws {
        let event = try coder.decode(SceneEvent.self, from: Array(#"{"press":"a","by":{}}"#.utf8), named: "event")
        #expect(try event.event() == .press(action: "a"))
        let error = ViperError(.storeFailed, operation: "cannot do", subject: "it", cause: "so")
        let closed = ClosedNotification(
            scene: 7, last: SceneState(scene: 7, screen: Screen(title: "T"), revision: 3, closed: true), error: error)
        let text = String(decoding: try coder.encode(closed), as: UTF8.self)
            .replacing("\"title\":", with: "\"new\":[1],\"title\":").replacing(
                "\"operation\":", with: "\"new\":{},\"operation\":"
            )
            .replacing("\"revision\":", with: "\"new\":0,\"revision\":")
        let line = #"{"jsonrpc":"2.0","method":"closed","params":{"new":null,\#(text.dropFirst())}"#
        let read = try MessageContent(line: Array(line.utf8)).notification(ClosedNotification.self)
        #expect(text.ranges(of: "new").count == 3 && read.last == closed.last && read.error == error)
    }

    @Test("An event of a later version is refused with the events that this version knows")
    func unknownEvent() throws {
        let json = Array(#"{"move":"1","above":{"row":2},"text":[]}"#.utf8)
        let event = try coder.decode(SceneEvent.self, from: json, named: "event")
        let error = try #require(throws: ViperError.self) { try event.event() }
        #expect(error.code == .eventUnknown)
        #expect(error.summary == "cannot read event \"above, move\": this version has no such event")
        #expect(error.notes == [.init("known", "press, select, act, fill, returned")])
        for json in ["{}", #"{"text":"x"}"#, #"{"act":"a"}"#, #"{"press":"a","row":"1"}"#, #"{"row":"1"}"#] {
            let event = try coder.decode(SceneEvent.self, from: Array(json.utf8), named: "event")
            let error = try #require(throws: ViperError.self) { try event.event() }
            #expect(error.code == .argumentsInvalid)
        }
    }

    @Test("A screen's parts of unknown kinds survive from a worker through the host to a client")
    func unknownKinds() throws {
        var screen = Screen(title: "T")
        var section = Section(title: "S", rows: [Row(id: "1", title: "a")])
        section.kind = Section.Kind(rawValue: "chart")
        screen.sections = [section]
        screen.form = Form(fields: [Field(id: "n", label: "l", value: "", kind: Field.Kind(rawValue: "shade"))])
        var state = SceneState(scene: 1, screen: screen, revision: 1, closed: false)
        for _ in 1...2 { state = try coder.decode(SceneState.self, from: coder.encode(state), named: "state") }
        #expect(state.screen == screen)
    }

    @Test("Parameters are passed on with their types")
    func parameters() throws {
        let values: [String: ParameterValue] = [
            "a": .string("x"), "b": .integer(7), "c": .number(0.5), "d": .boolean(true),
            "e": .array([.integer(1)]), "f": .array([]),
        ]
        #expect(try [String: ParameterValue](UnvalidatedParameters.values(values).json) == values)
        let given = ["a": ["7"], "b": ["1", "2"]]
        let read = try UnvalidatedParameters(UnvalidatedParameters.texts(given).json)
        #expect(read.texts == given && read.values.isEmpty)
    }

    @Test(
        "Invalid limits are rejected, and valid ones are set",
        arguments: ["0", "-1", "x", "", "1.5", "99999999999999999999"])
    func limits(text: String) {
        var limits = Limits()
        for name in Limits.names {
            let isTaken = limits.set(name, to: text)
            #expect(isTaken == (name == "time" && text == "1.5"))
        }
        let taken = (Limits.names + ["nothing"]).filter { limits.set($0, to: "7") }
        #expect(taken == Limits.names)
        #expect(limits.message == 7 && limits.time == .seconds(7))
    }

    @Test("Turns start in the order of their requests, whichever task waits first")
    func turns() async throws {
        let (turns, steps) = (Turns(), Steps())
        let queue = (0..<20).map { ($0, turns.next()) }
        await withTaskGroup(of: Void.self) { group in
            for (number, turn) in queue.shuffled() {
                group.addTask {
                    await turn.wait()
                    steps.add("\(number)")
                    await Task.yield()
                    turn.end()
                }
            }
        }
        #expect(steps.all == (0..<20).map(String.init))
    }
}
