import Foundation
import Testing
import ViperKit

@testable import ModuleRuntime

/// The JSON form of a screen. Scripts parse it, so the tests compare it exactly.
struct JSONRendererTests {
    @Test("A screen with only a title is written as only a title")
    func bare() throws {
        #expect(try renderJSON(Screen(title: "Hello / Wörld")) == "{\n  \"title\" : \"Hello / Wörld\"\n}\n")
    }

    @Test("A message of several lines is one string")
    func lines() throws {
        var screen = Screen(title: "t")
        screen.alert = Alert(title: "No", message: "a\n  fix: b", actions: [])
        #expect(try renderJSONLine(screen).contains(#""message":"a\n  fix: b""#))
    }

    @Test("Every part of a screen is written under its name")
    func everything() throws {
        #expect(
            try renderJSON(everythingScreen) == """
                {
                  "actions" : [
                    {
                      "id" : "save",
                      "title" : "Save"
                    },
                    {
                      "id" : "close",
                      "title" : "Close"
                    }
                  ],
                  "alert" : {
                    "actions" : [
                      {
                        "id" : "retry",
                        "title" : "Try again"
                      }
                    ],
                    "message" : "The disk is full",
                    "title" : "Not saved"
                  },
                  "emptyText" : "Nobody else",
                  "form" : {
                    "fields" : [
                      {
                        "id" : "given",
                        "kind" : "text",
                        "label" : "Given name",
                        "value" : "Ada"
                      },
                      {
                        "error" : "is no number",
                        "id" : "age",
                        "kind" : "number",
                        "label" : "Age",
                        "value" : "x"
                      }
                    ]
                  },
                  "loading" : true,
                  "sections" : [
                    {
                      "rows" : [
                        {
                          "detail" : "36",
                          "id" : "1",
                          "title" : "Ada"
                        },
                        {
                          "detail" : "7",
                          "id" : "2",
                          "title" : "Maximilian Ito"
                        },
                        {
                          "id" : "3",
                          "title" : "No detail at all, and longer than the others"
                        }
                      ],
                      "title" : "COMSTAR"
                    },
                    {
                      "rows" : [
                        {
                          "detail" : "1",
                          "id" : "4",
                          "title" : "Without a heading"
                        }
                      ]
                    }
                  ],
                  "text" : "Two lines\\nof text",
                  "title" : "People"
                }

                """)
    }

    @Test(
        "A written screen is read back unchanged",
        arguments: [everythingScreen, refinedScreen, emptyScreen, Screen(title: ""), Screen(title: "\u{1B}日\"\\")])
    func roundTrip(screen: Screen) throws {
        #expect(try JSONDecoder().decode(Screen.self, from: Data(try renderJSON(screen).utf8)) == screen)
    }

    @Test("A number that JSON cannot represent is an error")
    func infinite() {
        #expect(throws: EncodingError.self) { try renderJSON([Double.infinity]) }
    }
}
