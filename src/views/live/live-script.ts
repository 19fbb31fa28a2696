/**
 * The live page's own work. It exchanges the token of its address for a cookie, once, and shows what the server
 * sends: the list of sessions, and the report of the chosen one. What is the same before and after stays in place, so
 * that the reader's scrolling, focus, searches and opened details stay, too. It says whether it is connected, and of
 * when what it shows is.
 */
export const LIVE_SCRIPT = `
"use strict";
(() => {
  const KEY = "wisp-watch";
  const SILENT_MS_MAX = 25000;
  const RETRY_MS = 2000;
  const TRIES_MAX = 3;
  const [state, age, nav, main] = ["live-state", "live-age", "sessions", "report"].map((id) =>
    document.getElementById(id),
  );
  const hash = location.hash.slice(1);
  const token = /^[\\w-]{43}$/u.test(hash) ? hash : undefined;
  let chosen = hash.startsWith("session=") ? decodeURIComponent(hash.slice(8)) : undefined;
  let shown, source, retry, heardMs, recordMs;
  let tries = 0;
  let isOver = false;

  // Of an element of the reader's, what is theirs to change.
  const READERS = { tr: "hidden", details: "open", svg: "width", button: "aria-current" };
  const keyOf = (node) =>
    node.id || node.dataset?.key || (node.localName === "tr" && node.cells[0]?.textContent) || "";
  const nameOf = (node) => node.nodeName + " " + keyOf(node);
  const become = (old, next) => {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== next.data) old.data = next.data;
      return;
    }
    const own = READERS[old.localName];
    for (const { name } of [...old.attributes]) {
      if (name !== own && !next.hasAttribute(name)) old.removeAttribute(name);
    }
    for (const { name, value } of next.attributes) {
      if (name !== own && old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    becomeWithin(old, next);
  };
  const becomeWithin = (old, next) => {
    const keyed = new Map();
    for (const child of old.children) if (keyOf(child) !== "") keyed.set(nameOf(child), child);
    let at = old.firstChild;
    for (const fresh of [...next.childNodes]) {
      const name = nameOf(fresh);
      const same = keyed.get(name) ?? (at !== null && keyOf(fresh) === "" && nameOf(at) === name ? at : undefined);
      keyed.delete(name);
      if (same === undefined) {
        old.insertBefore(fresh, at);
        continue;
      }
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      become(same, fresh);
    }
    while (at !== null) {
      const after = at.nextSibling;
      at.remove();
      at = after;
    }
  };
  const show = (box, html, isOther) => {
    const next = new DOMParser().parseFromString(html, "text/html").body;
    const focused = document.activeElement;
    if (isOther) box.replaceChildren(...next.childNodes);
    else becomeWithin(box, next);
    if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
    document.dispatchEvent(new Event("wisp-shown"));
  };

  const say = (tone, text) => {
    if (state.textContent !== text) state.textContent = text;
    state.className = tone;
    sayAge();
  };
  const timeOf = (ms) => new Date(ms).toLocaleTimeString();
  const sinceOf = (ms) => {
    const seconds = Math.max(0, Math.round((Date.now() - ms) / 1000));
    if (seconds < 60) return seconds + " s ago";
    return seconds < 3600 ? Math.floor(seconds / 60) + " min ago" : Math.floor(seconds / 3600) + " h ago";
  };
  const sayAge = () => {
    const isLive = state.className === "good";
    const ms = isLive ? recordMs : heardMs;
    const what = isLive ? "last record: " : "what you see is of ";
    const text = ms === undefined ? "" : what + timeOf(ms) + ", " + sinceOf(ms);
    if (age.textContent !== text) age.textContent = text;
  };
  const lost = () => {
    tries += 1;
    if (tries <= TRIES_MAX) say("ask", "The connection is lost; trying again.");
    else say("bad", "wisp watch has ended, or cannot be reached.");
  };

  const later = () => {
    clearTimeout(retry);
    retry = setTimeout(connect, RETRY_MS);
  };
  const addressOf = () => {
    const query = new URLSearchParams({ key: localStorage.getItem(KEY) ?? "" });
    if (chosen !== undefined) query.set("session", chosen);
    return "/events?" + query;
  };
  // An event source does not say why it was refused.
  const refused = async () => {
    const asking = new AbortController();
    const answer = await fetch(addressOf(), { signal: asking.signal }).catch(() => undefined);
    asking.abort();
    if (answer === undefined) lost();
    else if (answer.status === 403) {
      say("bad", "This link was used already, or is of an earlier wisp watch. For a new one: wisp watch --web");
      return;
    } else if (answer.status === 503) say("ask", "Too many pages are open; trying again.");
    later();
  };
  const heard = () => {
    heardMs = Date.now();
    tries = 0;
    say("good", "Live");
  };
  const on = (name, take) =>
    source.addEventListener(name, ({ data }) => {
      take(JSON.parse(data));
      heard();
    });
  const connect = () => {
    clearTimeout(retry);
    source?.close();
    source = new EventSource(addressOf());
    const own = source;
    source.addEventListener("open", () => {
      if (shown === undefined) main.textContent = "Reading the session.";
      heard();
    });
    on("beat", () => undefined);
    on("sessions", ({ html }) => {
      show(nav, html, false);
      mark();
    });
    on("report", ({ session, title, html, recordedMs }) => {
      const isOther = session !== shown;
      shown = session;
      recordMs = recordedMs;
      document.title = title;
      show(main, html, isOther);
      if (isOther) scrollTo(0, 0);
      mark();
    });
    source.addEventListener("end", () => {
      isOver = true;
      own.close();
      say("bad", "wisp watch was stopped.");
    });
    source.addEventListener("error", () => {
      if (isOver || own !== source) return;
      if (own.readyState === EventSource.CLOSED) refused();
      else lost();
    });
  };

  const mark = () => {
    for (const button of nav.querySelectorAll("button")) {
      button.setAttribute("aria-current", String(button.dataset.session === shown));
    }
  };
  const choose = (session) => {
    if (session === undefined || session === shown) return;
    chosen = session;
    history.replaceState(null, "", "#session=" + encodeURIComponent(session));
    if (!isOver) connect();
  };
  nav.addEventListener("click", ({ target }) => choose(target.closest("button")?.dataset.session));
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { n: 1, p: -1 }[event.key];
    if (step === undefined) return;
    const buttons = [...nav.querySelectorAll("button")];
    const at = buttons.findIndex((button) => button.dataset.session === (chosen ?? shown));
    const next = buttons[at + step];
    choose(next?.dataset.session);
    next?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  setInterval(() => {
    const isSilent = state.className === "good" && Date.now() - heardMs > SILENT_MS_MAX;
    if (isSilent) say("ask", "wisp watch does not answer.");
    else sayAge();
  }, 1000);

  const enter = async () => {
    history.replaceState(null, "", location.pathname);
    const answer = await fetch("/enter", { method: "POST", body: token }).catch(() => undefined);
    if (answer?.ok) localStorage.setItem(KEY, await answer.text());
  };
  if (token === undefined) connect();
  else enter().then(connect);
})();
`;
