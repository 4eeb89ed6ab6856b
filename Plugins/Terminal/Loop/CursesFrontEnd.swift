import ViperKit

/// The front end. A thread draws and reads keys; tasks pass on the states of the window and execute effects.
struct CursesFrontEnd: TerminalFrontEnd {
    func show(on terminal: any LentTerminal) async throws(ViperError) {
        let inbox = try Inbox()
        let (effects, effect) = AsyncStream.makeStream(of: Effect.self)
        let first = await terminal.window.state()
        let tasks = [
            Task {
                for await state in terminal.window.states() { inbox.post(.state(state)) }
            },
            Task {
                for await notice in terminal.notices { inbox.post(.notice(notice)) }
            },
            Task { await Self.execute(effects, on: terminal, inbox) },
        ]
        defer { for task in tasks { task.cancel() } }
        let result: Result<Void, ViperError> = await withTaskCancellationHandler {
            do throws(ViperError) {
                try await onOwnThread { () throws(ViperError) in
                    try Loop.run(terminal, inbox, first) { effect.yield($0) }
                }
                return .success(())
            } catch { return .failure(error) }
        } onCancel: {
            inbox.post(.end)
        }
        effect.finish()
        try result.get()
    }

    /// Executes effects. Events are sent one after another; going back does not wait for them.
    private static func execute(_ effects: AsyncStream<Effect>, on terminal: any LentTerminal, _ inbox: Inbox) async {
        for await effect in effects {
            switch effect {
            case .send(let event):
                do throws(ViperError) {
                    try await terminal.window.send(event)
                    inbox.post(.done(effect, nil))
                } catch { inbox.post(.done(effect, error)) }
            case .back:
                Task {
                    await terminal.window.goBack()
                    inbox.post(.done(effect, nil))
                }
            case .edit(let field, let text):
                do throws(ViperError) {
                    let edited = try await EditedFile.edit(text, on: terminal)
                    inbox.post(.edited(field: field, .success(edited)))
                } catch { inbox.post(.edited(field: field, .failure(error))) }
            case .quit, .redraw: break
            }
        }
    }
}
