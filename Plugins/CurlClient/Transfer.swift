import CCurl
import ViperKit

/// A request and the part of its response that has been received so far. A transfer is used only on the thread that
/// drives its ``Transfers``.
final class Transfer {
    typealias Outcome = Result<(response: HTTPResponse, location: String?), TransferFailure>

    /// The libcurl handle for the transfer.
    let easy: OpaquePointer
    let request: HTTPRequest
    /// The header fields as a libcurl list. libcurl does not copy the list, so it must stay valid during the transfer.
    var lines: OpaquePointer?
    private var response = HTTPResponse(status: 0, headers: [:], body: [])
    private var isHeaderOver = false
    private(set) var failure: TransferFailure?

    /// Creates a transfer. Returns nil if memory is exhausted.
    init?(_ request: HTTPRequest, _ authorities: Authorities) {
        guard let easy = curl_easy_init() else { return nil }
        (self.easy, self.request) = (easy, request)
        prepare(authorities)
        listen()
        if failure != nil { return nil }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(lines)
    }

    /// Records a failure if libcurl has rejected an option. This happens only if memory is exhausted.
    ///
    /// - Parameter code: The result code of the call that set the option.
    func demand(_ code: Int32) {
        if code != 0 { failure = .noMemory }
    }

    /// Returns the finished transfer's outcome.
    ///
    /// - Parameter code: libcurl's result code for the transfer.
    func outcome(_ code: Int32) -> Outcome {
        if let failure { return .failure(failure) }
        if code != 0 { return .failure(.curl(code)) }
        if !isHeaderOver { return .failure(.cutOff) }
        response.status = ccurl_number(easy, CURLINFO_RESPONSE_CODE)
        // Copy the text, because libcurl frees it with the handle.
        let location = ccurl_pointer(easy, CURLINFO_REDIRECT_URL).map {
            String(cString: $0.assumingMemoryBound(to: CChar.self))
        }
        return .success((response, location))
    }

    /// Registers the callbacks that receive the response's header and body.
    ///
    /// libcurl calls them on the thread that drives the transfer. It does not call them after `deinit` has cleaned up
    /// the handle, so the unretained reference is valid in every call.
    private func listen() {
        let itself = Unmanaged.passUnretained(self).toOpaque()
        demand(ccurl_set_pointer(easy, CURLOPT_HEADERDATA, itself))
        ccurl_set_callback(easy, CURLOPT_HEADERFUNCTION) { text, size, count, itself in
            Transfer.taken(text, size * count, by: itself) { $0.takeHeader($1) }
        }
        demand(ccurl_set_pointer(easy, CURLOPT_WRITEDATA, itself))
        ccurl_set_callback(easy, CURLOPT_WRITEFUNCTION) { text, size, count, itself in
            Transfer.taken(text, size * count, by: itself) { $0.takeBody($1) }
        }
    }

    /// Passes bytes from libcurl to a transfer. Returns `length`, or a different number to abort the transfer.
    private static func taken(
        _ text: UnsafeMutablePointer<CChar>?, _ length: Int, by itself: UnsafeMutableRawPointer?,
        _ take: (Transfer, UnsafeRawBufferPointer) -> TransferFailure?
    ) -> Int {
        guard let itself else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(itself).takeUnretainedValue()
        transfer.failure = take(transfer, UnsafeRawBufferPointer(start: text, count: length))
        // Adding 1 gives a different number even if `length` is 0.
        return transfer.failure == nil ? length : length + 1
    }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> TransferFailure? {
        var end = bytes[...]
        while let last = end.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { end = end.dropLast() }
        let line = String(decoding: end, as: UTF8.self)
        // A status line starts a new response. Discard the header fields of an interim response.
        if line.hasPrefix("HTTP/"), line.contains(" ") {
            (isHeaderOver, response.headers) = (false, [:])
            response.status = ccurl_number(easy, CURLINFO_RESPONSE_CODE)
            return nil
        }
        // Ignore trailer fields.
        if isHeaderOver { return nil }
        if line.isEmpty {
            isHeaderOver = true
            let length = response.headers["content-length"].flatMap(Int.init) ?? 0
            // Responses to HEAD requests and responses with status 304 can have a Content-Length, but they have no
            // body.
            return length > request.sizeLimit && request.method != "HEAD" && response.status != 304 ? .tooLarge : nil
        }
        guard let colon = line.firstIndex(of: ":") else { return nil }
        var value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        response.headers.append(name: String(line[..<colon]), value: String(value))
        return nil
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> TransferFailure? {
        if response.body.count + bytes.count > request.sizeLimit { return .tooLarge }
        response.body.append(contentsOf: bytes)
        return nil
    }
}
