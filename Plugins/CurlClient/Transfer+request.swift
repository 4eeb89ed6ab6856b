import CCurl
import ViperKit

extension Transfer {
    /// Tells libcurl what to send, and how long it may take.
    func prepare(_ authorities: Authorities) {
        demand(ccurl_set_text(easy, CURLOPT_URL, request.url))
        demand(ccurl_set_number(easy, CURLOPT_PATH_AS_IS, 1))
        demand(ccurl_set_number(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP_AND_HTTPS))
        // Every way of packing that this libcurl unpacks.
        demand(ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, ""))
        if let file = authorities.file { demand(ccurl_set_text(easy, CURLOPT_CAINFO, file)) }
        if let folder = authorities.folder { demand(ccurl_set_text(easy, CURLOPT_CAPATH, folder)) }
        setHeaders()
        setBody()
        setMethod()
        setLimits()
    }

    private func setHeaders() {
        // libcurl takes a header without a value for one that it shall leave out, unless it ends so.
        var headers = request.headers.map { name, value in
            value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(name);" : "\(name): \(value)"
        }
        // What libcurl adds by itself: it neither knows what the body is, nor shall it ask before it sends it.
        if !request.headers.keys.contains(where: { $0.lowercased() == "content-type" }) {
            headers.append("Content-Type:")
        }
        for header in headers + ["Expect:"] {
            // When there is no memory the list stays as it is, and is not to be lost.
            guard let longer = curl_slist_append(lines, header) else { return demand(-1) }
            lines = longer
        }
        demand(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, lines.map { UnsafeRawPointer($0) }))
    }

    private func setBody() {
        // These have a body, if only an empty one: a server waits for its length.
        let isExpected = ["POST", "PUT", "PATCH"].contains(request.method)
        guard request.method != "GET", let body = request.body ?? (isExpected ? [] : nil) else { return }
        demand(ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count)))
        // It copies them. A null pointer would mean that they come from elsewhere, and an empty array may have one.
        body.withUnsafeBytes { bytes in
            demand(ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(easy)))
        }
    }

    private func setMethod() {
        // On a line that was used before, libcurl sends a request once more when the server closes it without an answer: a
        // change could then be made twice.
        if !["GET", "HEAD"].contains(request.method) { demand(ccurl_set_number(easy, CURLOPT_FRESH_CONNECT, 1)) }
        switch request.method {
        case "GET": break
        case "HEAD": demand(ccurl_set_number(easy, CURLOPT_NOBODY, 1))
        default: demand(ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method))
        }
    }

    private func setLimits() {
        // Rounded up: none is 0, which means that there is no limit.
        let time = max(1, Int((request.timeLimit * 1000).rounded(.up)))
        demand(ccurl_set_number(easy, CURLOPT_TIMEOUT_MS, time))
        // Otherwise it would look up names with a signal that ends the process.
        demand(ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1))
        // A name server that hangs would hold up the end of this transfer, and with it all others. libcurl before 7.87 does not
        // know this setting, and works without.
        ccurl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
    }
}
