// Keeps a page up to date, and sends its forms without loading a new page. Without this script, each page works by its
// forms and links alone.
"use strict";

(() => {
    const screen = () => document.getElementById("screen");
    const address = () => screen().dataset.address;
    const here = () => location.pathname + location.search;
    if (!screen()) return;

    // -- Merging --------------------------------------------------------------------------------------------------------
    // A change keeps the elements that it does not concern, and with them the focus, the selection and what is half typed.

    /** Returns the text by which an element is found again in a newer version of its parent. */
    const key = (node) => {
        if (node.nodeType !== 1) return `${node.nodeType}`;
        const pick = node.localName === "li" ? node.firstElementChild : null;
        const known = node.dataset.key ?? (pick?.name === "select" ? pick.value : undefined);
        if (known !== undefined) return `key ${node.localName} ${known}`;
        return `${node.localName} ${node.id} ${node.getAttribute("name") ?? ""} ${node.classList[0] ?? ""}`;
    };

    const isText = (node) =>
        node.localName === "textarea" || (node.localName === "input" && !["checkbox", "hidden"].includes(node.type));

    /** Gives a control its new value, unless the user has changed it since it was sent. */
    const mergeValue = (old, fresh, sent) => {
        if (old.type === "checkbox") {
            const isDirty = old.checked !== old.defaultChecked && sent.get(old) !== old.checked;
            old.defaultChecked = fresh.defaultChecked;
            if (!isDirty) old.checked = fresh.defaultChecked;
            return;
        }
        const isDirty = old.value !== old.defaultValue && sent.get(old) !== old.value;
        if (old.defaultValue !== fresh.defaultValue) {
            const typed = old.value;
            old.defaultValue = fresh.defaultValue;
            if (isDirty && old.value !== typed) old.value = typed;
        }
        if (isDirty || old.value === fresh.defaultValue) return;
        const selection = [old.selectionStart, old.selectionEnd];
        old.value = fresh.defaultValue;
        if (old === document.activeElement && selection[0] !== null) old.setSelectionRange(...selection);
    };

    const chosen = (select) => [...select.options].find((option) => option.defaultSelected)?.value ?? "";

    const mergeAttributes = (old, fresh) => {
        // The values of controls are merged apart, and what the user has opened stays open.
        const isKept = (name) => name === "open" || (name === "value" && isText(old))
            || (name === "checked" && old.type === "checkbox");
        for (const { name } of [...old.attributes]) {
            if (!fresh.hasAttribute(name) && !isKept(name)) old.removeAttribute(name);
        }
        for (const { name, value } of fresh.attributes) {
            if (!isKept(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
        }
    };

    const merge = (old, fresh, sent) => {
        if (old.nodeType !== 1) {
            if (old.data !== fresh.data) old.data = fresh.data;
            return;
        }
        const select = old.localName === "select" ? { value: old.value, first: chosen(old) } : null;
        mergeAttributes(old, fresh);
        if (isText(old) || old.type === "checkbox") mergeValue(old, fresh, sent);
        if (old.localName !== "textarea") mergeChildren(old, fresh, sent);
        if (select) {
            const isDirty = select.value !== select.first && sent.get(old) !== select.value;
            const wanted = isDirty ? select.value : chosen(old);
            if (old.value !== wanted) old.value = wanted;
        }
    };

    const mergeChildren = (old, fresh, sent) => {
        const found = new Map();
        for (const child of old.childNodes) {
            const name = key(child);
            found.has(name) ? found.get(name).push(child) : found.set(name, [child]);
        }
        for (const list of found.values()) list.reverse();
        const pairs = [...fresh.childNodes].map((child) => [found.get(key(child))?.pop(), child]);
        for (const list of found.values()) for (const child of list) child.remove();
        let next = old.firstChild;
        for (const [kept, child] of pairs) {
            if (kept && kept === next) {
                next = next.nextSibling;
            } else {
                old.insertBefore(kept ?? document.importNode(child, true), next);
            }
            if (kept) merge(kept, child, sent);
        }
    };

    // Reloads a page without a window every two seconds while it is visible.
    const again = screen().dataset.reload;
    const reload = async () => {
        const answer = await fetch(again);
        const text = answer.ok ? await answer.text() : "";
        const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("screen");
        if (!fresh) throw new Error(`status ${answer.status}`);
        merge(screen(), fresh, new Map());
    };
    const reloadLater = () => setTimeout(async () => {
        // The numbers of a page that cannot be reloaded are old.
        if (!document.hidden) {
            const isReloaded = await reload().then(() => true, () => false);
            screen().classList.toggle("stale", !isReloaded);
        }
        reloadLater();
    }, 2000);
    if (again) reloadLater();
    if (!screen().dataset.window) return;

    // -- Showing a new version --------------------------------------------------------------------------------------------

    const live = document.getElementById("live");
    let lastSaid = 0;
    const say = (text) => {
        live.textContent = "";
        setTimeout(() => { live.textContent = text; }, 50);
    };

    /** Where the user was in scenes that are below the current one, by their addresses. */
    const places = new Map();
    const nameOf = (element) => (element?.name ? { name: element.name, value: element.value } : null);
    const find = (place) =>
        place && [...document.getElementsByName(place.name)].find((element) => element.value === place.value);

    let isPointerDown = false;
    let waiting = null;

    const nonceOf = (main) => main.querySelector("[name=nonce]").value;
    /** Returns the number of the window's state, which is the last part of a page's number. */
    const versionOf = (nonce) => Number(nonce.split("-")[2]);

    /** Gives controls the values of the page, unless the user has changed them since they were sent. */
    const reset = (sent) => {
        for (const [control, value] of sent) {
            if (control.type === "checkbox") {
                if (control.checked === value) control.checked = control.defaultChecked;
            } else if (control.localName === "select") {
                if (control.value === value) control.value = chosen(control);
            } else if (isText(control) && control.value === value) {
                control.value = control.defaultValue;
            }
        }
    };

    /**
     * Shows a version of the content, unless a newer one is shown.
     *
     * @param {string} markup The markup of the element, or of a document that contains it.
     * @param {object} how
     * @param {boolean} how.isOwn True if the version answers something that the user did.
     * @param {Map} [how.sent] The values of the controls that were sent.
     * @param {object} [how.pressed] The name and value of the button that was pressed.
     * @param {boolean} [how.searched] True if a search was sent.
     * @param {boolean} [how.isFound] True if the browser went to another page of its history.
     */
    const show = (markup, how) => {
        const fresh = new DOMParser().parseFromString(markup, "text/html").getElementById("screen");
        if (!fresh?.dataset.window) return location.reload();
        if (fresh.dataset.window === screen().dataset.window && versionOf(nonceOf(fresh)) < versionOf(nonceOf(screen()))) {
            return reset(how.sent ?? new Map());
        }
        // The user has closed the last scene.
        if (how.isOwn && "closed" in fresh.dataset) return location.assign("/");
        const old = screen();
        const [from, to] = [old.dataset.address, fresh.dataset.address];
        const isOther = from !== to || old.dataset.window !== fresh.dataset.window;
        const focus = document.activeElement;
        const hadAlert = old.querySelector(".alert");
        const before = old.textContent;

        if (to !== here()) move(to, how);
        // This script moves the focus, and a browser must not.
        for (const node of fresh.querySelectorAll("[autofocus]")) {
            node.removeAttribute("autofocus");
            if (isOther) node.dataset.first = "";
        }

        if (isOther) {
            places.set(from, { y: scrollY, focus: how.pressed ?? nameOf(focus) });
            cancelAll();
            old.replaceWith(document.importNode(fresh, true));
        } else {
            merge(old, fresh, how.sent ?? new Map());
        }
        document.title = screen().querySelector("h1").textContent;
        showKeys();

        if (isOther) {
            const place = places.get(to);
            const first = find(place?.focus) ?? screen().querySelector("[data-first]")
                ?? (screen().querySelector(".rows, .alert") ? null : screen().querySelector(".fields [id^=field]"))
                ?? screen().querySelector("h1");
            scrollTo(0, place?.y ?? 0);
            first.focus({ preventScroll: Boolean(place) });
            if (old.dataset.window !== screen().dataset.window) listen();
            return;
        }
        const alert = screen().querySelector(".alert button");
        const error = screen().querySelector("[aria-invalid]");
        if (how.pressed && alert && !hadAlert) alert.focus();
        else if (how.pressed?.name === "press" && error) error.focus();
        else if (focus && focus !== document.activeElement) {
            if (focus.isConnected && !focus.disabled) focus.focus({ preventScroll: true });
            else if (how.isOwn) screen().querySelector("h1").focus({ preventScroll: true });
        }
        if (how.searched) {
            say(`${screen().querySelectorAll(".row").length} ${live.dataset.rows}`);
        } else if (!how.isOwn && before !== screen().textContent && Date.now() - lastSaid > 5000) {
            lastSaid = Date.now();
            say(live.dataset.changed);
        }
    };

    /** Calls a function when no button is held down, because a change could move what is under the pointer. */
    const settle = (action) => {
        if (!isPointerDown) return action();
        const earlier = waiting;
        waiting = () => { earlier?.(); action(); };
    };
    const release = () => {
        isPointerDown = false;
        // The click comes after this event.
        setTimeout(() => {
            const action = waiting;
            waiting = null;
            action?.();
        }, 0);
    };
    addEventListener("pointerdown", (event) => { isPointerDown = event.button === 0; }, true);
    // The button was released elsewhere.
    addEventListener("pointermove", (event) => { if (isPointerDown && !event.buttons) release(); }, true);
    addEventListener("pointerup", release, true);
    addEventListener("pointercancel", release, true);
    addEventListener("dragend", release, true);

    // -- History ------------------------------------------------------------------------------------------------------------

    /** Returns the number of the scene that an address names. It grows with each scene that opens. */
    const sceneOf = (url) => Number(/[?&]_w=\d+\.(\d+)/.exec(url)?.[1] ?? 0);

    let isReturning = false;
    /** True if what the user did last has already added a page to the history. A scene may replace another one. */
    let hasMoved = false;
    const move = (to, how) => {
        // The browser goes back a little later. Until then its address is the earlier one, and says nothing.
        if (isReturning) return;
        const from = here();
        if (sceneOf(to) > sceneOf(from) && !how.isFound && !(how.isOwn && hasMoved)) {
            hasMoved = how.isOwn;
            history.pushState({ before: from }, "", to);
            return;
        }
        // A scene that closes leads back to the page before it, if the browser has that page.
        isReturning = !how.isFound && sceneOf(to) < sceneOf(from) && history.state?.before === to;
        isReturning ? history.back() : history.replaceState(history.state, "", to);
    };

    addEventListener("popstate", () => {
        if (isReturning) {
            isReturning = false;
            // Another version may have arrived in the meantime.
            if (address() !== here()) move(address(), { isOwn: false });
            return;
        }
        enqueue(async () => {
            const response = await ask(here(), {});
            if (response) settle(() => show(response, { isOwn: true, isFound: true }));
        });
    });

    // -- Sending ------------------------------------------------------------------------------------------------------------

    let turn = Promise.resolve();
    let count = 0;
    let running = 0;
    const pending = new Set();

    /**
     * Runs jobs one after the other, because each answer has the number for the next form.
     *
     * @param {boolean} isUrgent True to run the job at once, although an earlier one has not ended.
     */
    const enqueue = (job, isUrgent = false) => {
        running += 1;
        const late = setTimeout(() => document.body.classList.add("waiting"), 300);
        const end = (isUrgent ? job() : turn.then(job)).catch((error) => console.error(error)).finally(() => {
            running -= 1;
            clearTimeout(late);
            if (!running) document.body.classList.remove("waiting");
        });
        turn = end;
    };

    const offline = document.getElementById("offline");
    /** Shows a notice at the bottom of the page. Without a text, the notice is about the connection. */
    const warn = (text) => {
        offline.querySelector("a").href = address();
        offline.querySelector("span").textContent = text ?? offline.dataset.lost;
        offline.hidden = false;
    };

    /** The number of times that a request is sent while the server refuses it for a moment. */
    const attempts = 5;

    /**
     * Returns the text of an answer. If there is none, or the server refuses the request, shows the reason, and returns null.
     *
     * A server that is being replaced refuses requests, or closes their connections. They are sent again, because a form
     * with the same number is executed once.
     */
    const ask = async (url, options) => {
        for (let attempt = 1; ; attempt += 1) {
            const response = await fetch(url, { ...options, headers: { "X-Viper-Live": "1" } }).catch(() => null);
            const delay = !response ? 0.3 : response.status === 503 ? Number(response.headers.get("Retry-After")) : 0;
            if (!delay || attempt === (response ? attempts : 2)) return read(response);
            await new Promise((resume) => { setTimeout(resume, delay * 1000); });
        }
    };

    const read = async (response) => {
        if (response?.ok) {
            offline.hidden = true;
            return response.text();
        }
        if (!response) {
            warn();
        } else if ([403, 404].includes(response.status)) {
            // The session or the window has ended. Loading the page opens it again.
            location.reload();
        } else {
            const problem = new DOMParser().parseFromString(await response.text(), "text/html");
            warn([...problem.querySelectorAll("main h1, main .lines")].map((part) => part.textContent).join(". "));
        }
        return null;
    };

    /**
     * Sends fields of a form, and shows the answer.
     *
     * @param {string} formID The form.
     * @param {{name: string, value: string}} button The button that was pressed.
     * @param {(name: string) => boolean} isSent Tells whether a field is sent.
     */
    const send = (formID, button, isSent, how) => {
        const mark = `${button.name}\u0000${button.value}`;
        if (pending.has(mark)) return;
        pending.add(mark);
        const scene = address();
        enqueue(async () => {
            pending.delete(mark);
            const form = document.getElementById(formID);
            // The scene has changed since the button was pressed.
            if (!form || address() !== scene) return;
            const body = new URLSearchParams();
            for (const [name, value] of new FormData(form)) if (isSent(name)) body.append(name, value);
            body.append(button.name, button.value);
            // The server executes a number once, and a new version may have the number of the one before.
            count += 1;
            body.set("nonce", `${body.get("nonce")}.${count}`);
            const sent = new Map();
            for (const control of form.elements) {
                if (!isSent(control.name)) continue;
                // A secret stays until the form is sent as a whole.
                if (control.type === "password" && button.name === "fill") continue;
                sent.set(control, control.type === "checkbox" ? control.checked : control.value);
            }
            hasMoved = false;
            const answer = await ask(form.getAttribute("action"), { method: "POST", body });
            if (answer) settle(() => show(answer, { isOwn: true, sent, ...how }));
        // Going back does not wait for a module.
        }, button.name === "back");
    };

    addEventListener("submit", (event) => {
        const form = event.target;
        const button = event.submitter ?? form.querySelector("button:not(:disabled)");
        if (form.method !== "post" || !button?.name) return;
        event.preventDefault();
        cancelAll();
        const isSearch = button.name === "fill";
        const pressed = { name: button.name, value: button.value };
        send(form.id, pressed, () => true, isSearch ? { searched: true } : { pressed });
    });

    // A search starts, and other fields are checked, a short time after the user has entered something.
    const timers = new Map();
    const cancelAll = () => {
        for (const timer of timers.values()) clearTimeout(timer);
        timers.clear();
    };
    const fillLater = (control, delay, how) => {
        const name = control.name;
        const formID = control.form?.id;
        if (!name?.startsWith("field.") || !formID) return;
        clearTimeout(timers.get(name));
        timers.set(name, setTimeout(() => {
            timers.delete(name);
            const parts = new Set(["token", "nonce", name, name.replace("field.", "shown.")]);
            send(formID, { name: "fill", value: name.slice("field.".length) }, (part) => parts.has(part), how);
        }, delay));
    };
    addEventListener("input", (event) => {
        if (event.target.type === "search" && !event.isComposing) fillLater(event.target, 250, { searched: true });
    });
    addEventListener("compositionend", (event) => {
        if (event.target.type === "search") fillLater(event.target, 250, { searched: true });
    });
    addEventListener("change", (event) => {
        if (event.target.type !== "search") fillLater(event.target, 300, {});
    });

    // -- Keys ---------------------------------------------------------------------------------------------------------------

    const switchForKeys = document.getElementById("keys");
    let hasKeys = localStorage.getItem("keys") !== "off";
    const showKeys = () => {
        switchForKeys.hidden = !screen().querySelector("[accesskey], [type=search]");
        switchForKeys.setAttribute("aria-pressed", hasKeys);
        document.body.classList.toggle("keys", hasKeys);
    };
    switchForKeys.addEventListener("click", () => {
        hasKeys = !hasKeys;
        localStorage.setItem("keys", hasKeys ? "on" : "off");
        showKeys();
    });
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
        const isTyping = event.target.matches?.("input:not([type=checkbox]), textarea, select");
        let control = null;
        if (event.key === "Escape" && !isTyping) {
            control = screen().querySelector(".alert .cancel") ?? screen().querySelector(".presented .cancel, .back");
        } else if (hasKeys && !isTyping && event.key === "/") {
            control = screen().querySelector("[type=search]");
        } else if (hasKeys && !isTyping && event.key.length === 1) {
            control = screen().querySelector(`[accesskey="${CSS.escape(event.key)}"]:enabled`);
        }
        if (!control) return;
        event.preventDefault();
        control.type === "search" ? control.focus() : control.click();
    });

    // -- The stream of changes ------------------------------------------------------------------------------------------------

    /** Asks for the current version of the page. */
    const catchUp = () => enqueue(async () => {
        const answer = await ask(address(), {});
        if (answer) settle(() => show(answer, { isOwn: false }));
    });

    let stream = null;
    let wasOpen = false;
    let failures = 0;
    let retry = 0;
    const listen = () => {
        stream?.close();
        clearTimeout(retry);
        if (document.body.dataset.closed) return;
        const nonce = screen().querySelector("[name=nonce]").value;
        const from = `?from=${encodeURIComponent(nonce)}`;
        const own = new EventSource(`/_window/${screen().dataset.window}/changes${from}`);
        stream = own;
        own.onopen = () => {
            wasOpen = true;
            failures = 0;
            offline.hidden = true;
        };
        own.addEventListener("screen", (event) => {
            if (own !== stream) return;
            settle(() => {
                const isKnown = versionOf(event.lastEventId) <= versionOf(nonceOf(screen()));
                if (!isKnown) show(event.data, { isOwn: running > 0 });
            });
        });
        own.addEventListener("closed", (event) => {
            document.body.dataset.closed = "1";
            own.close();
            settle(() => show(event.data, { isOwn: false }));
        });
        own.onerror = () => {
            if (own !== stream) return;
            // The server is being replaced, or the window has ended. Asking for the page tells which.
            if (own.readyState === EventSource.CLOSED && wasOpen) catchUp();
            own.close();
            stream = null;
            failures += 1;
            retry = setTimeout(listen, Math.min(30000, 250 * 2 ** failures) * (0.75 + Math.random() / 2));
        };
    };

    // A browser opens only six connections to a server, so hidden pages close their streams.
    let rest = 0;
    document.addEventListener("visibilitychange", () => {
        clearTimeout(rest);
        if (document.hidden) {
            rest = setTimeout(() => { stream?.close(); stream = null; clearTimeout(retry); }, 10000);
        } else if (!stream) {
            listen();
        }
    });
    addEventListener("pageshow", (event) => {
        // The page was kept in memory, so its forms may be out of date.
        if (event.persisted) location.reload();
    });
    addEventListener("pagehide", () => stream?.close());

    document.body.classList.add("live");
    showKeys();
    listen();
})();
