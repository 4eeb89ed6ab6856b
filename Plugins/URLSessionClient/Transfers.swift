import Foundation
import FoundationNetworking
import Synchronization
import ViperKit

/// The transfers of a session that are going on. Hears what URLSession says of each, and ends it once: with its response, or
/// with the first thing that went wrong.
final class Transfers: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<HTTPResponse, ViperError>

    private struct Transfer {
        let request: HTTPRequest
        let continuation: CheckedContinuation<Outcome, Never>
        let timer: Task<Void, any Error>
        /// What has come until now.
        var response: HTTPResponse?
    }

    /// By the identifiers of their tasks.
    private let current = Mutex<[Int: Transfer]>([:])

    func begin(_ task: URLSessionTask, for request: HTTPRequest, _ continuation: CheckedContinuation<Outcome, Never>) {
        current.withLock { current in
            let timer = Task {
                try await Task.sleep(for: .seconds(min(request.timeLimit, HTTPRequest.longestTime)))
                fail(task, "it took longer than \(String(format: "%g", request.timeLimit)) s")
            }
            current[task.taskIdentifier] = Transfer(request: request, continuation: continuation, timer: timer)
        }
        // Who has cancelled before found no transfer to fail.
        Task.isCancelled ? fail(task, "it was cancelled") : task.resume()
    }

    /// Ends a transfer without a response, unless it has ended, and stops its task.
    func fail(_ task: URLSessionTask, _ cause: String, notes: [ViperError.Note] = [], mend: String? = nil) {
        end(task) { transfer in
            let what = "cannot \(transfer.request.method)"
            return .failure(
                ViperError(.httpFailed, what, transfer.request.address, cause: cause, notes: notes, mend: mend))
        }
        task.cancel()
    }

    private func end(_ task: URLSessionTask, with outcome: (Transfer) -> Outcome) {
        guard let transfer = current.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        transfer.timer.cancel()
        transfer.continuation.resume(returning: outcome(transfer))
    }

    private func succeed(_ task: URLSessionTask) {
        // A redirect that leads nowhere is not told by itself.
        guard let head = HTTPResponse(task.response) else { return fail(task, "no whole response came") }
        end(task) { .success($0.response ?? head) }
    }

    // MARK: What URLSession says, on a queue of its own

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        guard let head = HTTPResponse(response) else { return }
        let limit = current.withLock { current in
            current[dataTask.taskIdentifier]?.response = head
            return current[dataTask.taskIdentifier]?.request.sizeLimit
        }
        // These two tell the length of a body that they do not have.
        let hasBody = dataTask.currentRequest?.httpMethod != "HEAD" && head.status != 304
        guard hasBody, let limit, let length = head.headers["content-length"].flatMap(Int.init) else { return }
        if length > limit { failAsTooLarge(dataTask, limit) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let limit: Int? = current.withLock { current in
            guard let transfer = current[dataTask.taskIdentifier], let response = transfer.response else { return nil }
            if response.body.count + data.count > transfer.request.sizeLimit { return transfer.request.sizeLimit }
            return nil
        }
        if let limit { return failAsTooLarge(dataTask, limit) }
        current.withLock { $0[dataTask.taskIdentifier]?.response?.body.append(contentsOf: data) }
    }

    private func failAsTooLarge(_ task: URLSessionTask, _ limit: Int) {
        fail(task, "the response is larger than \(limit) bytes")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let redirect = Redirect(from: task.currentRequest, by: response, to: newRequest)
        current.withLock { current in
            // An answer about a task that was cancelled before crashes URLSession. Who cancels takes the transfer away first.
            guard current[task.taskIdentifier] != nil, case .follow(let request) = redirect else { return }
            completionHandler(request)
        }
        if case .refuse(let cause) = redirect { fail(task, cause) }
    }

    /// Comes when a response with status 401 is there whole. Without a credential URLSession would wait for ever.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        succeed(task)
        task.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error else { return succeed(task) }
        let (cause, mend) = Self.explain(error)
        fail(task, cause, notes: [.init("URLSession says", error.localizedDescription)], mend: mend)
    }

    private static func explain(_ error: any Error) -> (cause: String, mend: String?) {
        switch (error as? URLError)?.code {
        case .cannotFindHost: return ("no connection: there is no such host", "check the host's name")
        case .cannotConnectToHost: return ("no connection", "check host and port, and that the server runs")
        case .httpTooManyRedirects: return ("it redirects without end", nil)
        case .networkConnectionLost: return ("it was cut off", nil)
        default:
            // These have no code of their own.
            let isCutOff = ["transfer closed", "Empty reply"].contains { error.localizedDescription.hasPrefix($0) }
            return (isCutOff ? "it was cut off" : "no whole response came", nil)
        }
    }
}

extension HTTPResponse {
    /// Status and headers, with a body that is still to come.
    fileprivate init?(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return nil }
        self.init(status: response.statusCode, headers: [:], body: [])
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name.lowercased()] = value
        }
    }
}
