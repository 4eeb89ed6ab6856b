import ViperKit

/// The fields of the form.
extension ScreenPage {
    /// The search fields, which are above what they search.
    var tools: HTML? {
        if searches.isEmpty { return nil }
        return "<div class=\"tools\" role=\"search\">\n\(HTML.joined(searches) { search($0.field, $0.number) })</div>\n"
    }

    var form: HTML? {
        if fields.isEmpty { return nil }
        return """
            <div class="fields">
            \(HTML.joined(fields) { field($0.field, $0.number) })</div>

            """
    }

    /// Returns the hidden input that tells which value the page shows.
    private func shown(_ field: Field, _ owner: HTML = "") -> HTML {
        """
        <input type="hidden" name="shown.\(id: field.id)" value="\(Page.digest(of: Page.submitted(field)))"\(owner)/>
        """
    }

    private func search(_ field: Field, _ number: Int) -> HTML {
        let owner: HTML = " form=\"search\(number)\""
        return """
            <div class="field search" data-key="\(id: field.id)">\(shown(field, owner))\(label(field, number))
            <span class="line">\(input(field, number, "search", owner))\
            <button class="plain" name="fill" value="\(id: field.id)"\(owner)>Search</button></span>\(remarks(field, number))
            </div>

            """
    }

    private func field(_ field: Field, _ number: Int) -> HTML {
        let content: HTML
        switch field.kind {
        case .toggle: return toggle(field, number)
        case .choices: return choices(field, number)
        case .choice: content = choice(field, number)
        case .multiline:
            // A parser drops a line break directly after the tag.
            content = """
                <textarea \(attributes(field, number)) rows="\(field.rowCount)" dir="auto">
                \(lines: Page.submitted(field))</textarea>
                """
        case .date: content = input(field, number, field.hasCalendar ? "date" : "text")
        case .text: content = input(field, number, "text")
        // A browser shows an invalid value of a number field as empty.
        case .number: content = input(field, number, "text", " inputmode=\"decimal\"")
        // Kinds that this version does not know may be secrets.
        default: content = input(field, number, "password", " autocomplete=\"\(field.purpose)\"")
        }
        return """
            <div class="field\(field.mark)" data-key="\(id: field.id)">\(shown(field))\(label(field, number))
            \(content)\(remarks(field, number))
            </div>

            """
    }

    private func label(_ field: Field, _ number: Int) -> HTML {
        "<label for=\"field\(number)\">\(caption(field))</label>"
    }

    private func caption(_ field: Field) -> HTML {
        "<bdi>\(field.label)</bdi>\(" <span class=\"required\">required</span>", if: field.isRequired)"
    }

    private func input(_ field: Field, _ number: Int, _ type: HTML, _ more: HTML = "") -> HTML {
        let hint = field.kind.isSecret && !field.value.isEmpty ? "••••••••" : field.placeholder
        let placeholder: HTML? = hint.map { " placeholder=\"\($0)\"" }
        return """
            <input \(attributes(field, number)) type="\(type)" value="\(Page.submitted(field))"\(placeholder)\(more) \
            dir="auto"/>
            """
    }

    /// Returns the attributes that inputs of all types have.
    private func attributes(_ field: Field, _ number: Int) -> HTML {
        """
        id="field\(number)" name="field.\(id: field.id)"\(description(field, number))\(invalid(field))\
        \(" aria-required=\"true\"", if: field.isRequired)
        """
    }

    private func description(_ field: Field, _ number: Int) -> HTML {
        let help: HTML = field.help == nil ? "" : "help\(number) "
        let error: HTML = field.error == nil ? "" : "error\(number)"
        return field.help == nil && field.error == nil ? "" : " aria-describedby=\"\(help)\(error)\""
    }

    /// A browser without a script moves the focus to the first field with an error.
    private func invalid(_ field: Field) -> HTML {
        if field.error == nil { return "" }
        let isFirst = screen.alert == nil && fields.first { $0.field.error != nil }?.field.id == field.id
        return " aria-invalid=\"true\"\(" autofocus=\"\"", if: isFirst)"
    }

    /// Returns the notice, the help and the error of a field.
    private func remarks(_ field: Field, _ number: Int) -> HTML {
        let fallback: HTML? = field.isKnown ? nil : notice(field.kind.rawValue)
        let help: HTML? = field.help.map {
            "<p class=\"help lines\" id=\"help\(number)\" dir=\"auto\">\(lines: $0)</p>"
        }
        let error: HTML? = field.error.map { "<p class=\"error\" id=\"error\(number)\" dir=\"auto\">\($0)</p>" }
        return "\(fallback)\(help)\(error)"
    }
}

/// The fields with options.
extension ScreenPage {
    private func toggle(_ field: Field, _ number: Int) -> HTML {
        """
        <div class="field toggle\(field.mark)" data-key="\(id: field.id)">\(shown(field))\
        <input type="hidden" name="field.\(id: field.id)" value="false"/>\
        <input type="checkbox" role="switch" value="true"\(" checked=\"\"", if: field.value == "true") \
        \(attributes(field, number))/>\
        \(label(field, number))\(remarks(field, number))
        </div>

        """
    }

    private func choice(_ field: Field, _ number: Int) -> HTML {
        let chosen = Page.submitted(field)
        let none: HTML? =
            chosen.isEmpty || !field.isRequired ? "<option value=\"\">\(field.placeholder ?? "–")</option>" : nil
        let options = HTML.joined(field.options) { option in
            """
            <option value="\(id: option.id)"\(" selected=\"\"", if: option.id == chosen)>\(option.title)</option>
            """
        }
        return "<select \(attributes(field, number))>\(none)\(options)</select>"
    }

    private func choices(_ field: Field, _ number: Int) -> HTML {
        let chosen = Set(field.chosen)
        let options = HTML.joined(field.options) { option in
            """
            <label class="option"><input type="checkbox" name="field.\(id: field.id)" value="\(id: option.id)"\
            \(" checked=\"\"", if: chosen.contains(option.id))/> <bdi>\(option.title)</bdi></label>

            """
        }
        // Without the hidden input, a browser sends nothing if nothing is chosen.
        return """
            <fieldset class="field choices\(field.mark)" id="field\(number)" data-key="\(id: field.id)"\
            \(description(field, number))><legend>\(caption(field))</legend>
            \(shown(field))<input type="hidden" name="field.\(id: field.id)" value=""/>
            \(options)\(remarks(field, number))
            </fieldset>

            """
    }
}
