// SPDX-License-Identifier: Apache-2.0
"use strict";

// Shows the page of a session and sends what the user does. Only the host changes the page, so a
// broken line costs time and nothing else.

const page = document.getElementById("page");
const statusLine = document.getElementById("live-status");
const root = document.documentElement;
const { dataset } = document.body;

// MARK: Connection

let line; // the socket, from its first moment on
let isWelcome = false;
let stopped; // a sentence for the user, and the label and the action of a button
let failures = 0;
let hasRenewed = false;
let hadWrongInput = false;
let lostTime = performance.now();
let retryTimer, deadline;

const reload = () => location.reload();
const leave = () => location.assign("/");
const endings = {
  1: ["This page is open in another tab.", "Use it here", resume],
  2: ["This session has ended.", "Start a new one", leave],
  4401: ["Your sign-in has expired.", "Reload", reload],
  4403: ["You may not open this session.", "Start a new one", leave],
};

function connect() {
  clearTimeout(retryTimer);
  if (line || stopped) return;
  const socket = new WebSocket(location.origin.replace("http", "ws") + dataset.line);
  line = socket;
  // A socket that was given up may still have something to say.
  const ifUsed = (act) => (event) => socket === line && act(event);
  socket.onopen = ifUsed(() => {
    const last = seen ? `${seen.epoch}/${seen.count}` : "-";
    socket.send(`hello 1 ${client} ${visibility()} ${next} ${last} ${address}`);
  });
  socket.onmessage = ifUsed(({ data }) => receive(data));
  socket.onclose = ifUsed(({ code }) => lose(code));
  setDeadline(true);
}

function resume() {
  stopped = undefined;
  connect();
}

function hangUp() {
  const socket = line;
  line = undefined;
  if (isWelcome) lostTime = performance.now();
  isWelcome = false;
  clearTimeout(retryTimer);
  setDeadline(false);
  setTimeout(report, 510);
  socket?.close();
}

function setDeadline(isNeeded) {
  if (isNeeded) deadline ??= setTimeout(lose, 10000);
  else deadline = clearTimeout(deadline);
  report();
}

// Ends the line: for a close code, for a reason that the host gave, or for none.
function lose(reason) {
  hangUp();
  const isFatal = [5, 6, 7, 8, 1002, 1003, 1007, 1008, 1009].includes(reason);
  if (reason === 4401 && !hasRenewed) {
    hasRenewed = true;
    renew(connect, () => lose(4401));
  } else if (isFatal || (reason === 4 && hadWrongInput)) {
    stopped = [`This page cannot be shown (${reason}).`, "Try again", startOver];
  } else if (reason in endings) {
    stopped = endings[reason];
  } else {
    hadWrongInput ||= reason === 4;
    failures += 1;
    retryTimer = setTimeout(connect, delay(failures));
    // An upgrade that is refused for its token looks like any other failure.
    if (failures === 3) renew(connect, () => {});
  }
  report();
}

function delay(attempt) {
  if (attempt === 1) return 100 + 200 * Math.random();
  return Math.random() * Math.min(10000, 300 * 2 ** (attempt - 2));
}

function renew(done, failed) {
  const answer = fetch(dataset.renew ?? "/renew", { method: "POST", credentials: "same-origin" });
  answer.then(({ ok }) => (ok ? done() : failed()), failed);
}

function renewLine(socket, attempt) {
  const replace = () => {
    if (socket === line) hangUp();
    connect();
  };
  const wait = () => setTimeout(renewLine, delay(attempt), socket, attempt + 1);
  if (socket === line) renew(replace, wait);
}

function receive(message) {
  const [, word, first, second, rest] = /^(\S*) ?(\S*) ?(\S*) ?([^]*)$/.exec(message);
  if (word === "frame") takeFrame(first, +second, rest);
  else if (word === "acknowledged") settleInputs(+first);
  else if (word === "welcome") takeWelcome(second, ...rest.split(" "));
  else if (word === "move") move(first);
  else if (word === "renew") renewLine(line, 1);
  else if (word === "end") lose(+first);
}

function takeWelcome(newEpoch, last, reset) {
  isWelcome = true;
  hasRenewed = false;
  failures = 0;
  epoch = newEpoch;
  partial = "";
  waiting = [];
  if (reset > 0) seen = undefined;
  received = acked = seen?.count;
  for (const entry of queue) entry.isSent = false;
  settleInputs(reset === "4" ? Infinity : +last);
}

// MARK: Frames

let epoch, received, acked, ackTimer;
let seen; // the last frame that is shown
let partial = "";
let waiting = [];

function takeFrame(ofEpoch, count, content) {
  if (ofEpoch !== epoch || count !== (received ?? count - 1) + 1) return lose();
  received = count;
  partial += content.slice(1);
  if (content[0] === "+") return;
  waiting.push({ count, text: partial, isError: content[0] === "!" });
  partial = "";
  if (waiting.length > 1000) lose();
  else showWaiting();
}

function showWaiting() {
  if (isComposing) return;
  for (const { count, text, isError } of waiting.splice(0)) {
    if (!isError) patch(text);
    pageError = isError ? text : "";
    seen = { epoch, count };
    // A hidden tab has no animation frames.
    if (count % 4) ackTimer ??= setTimeout(acknowledge, 30);
    else acknowledge();
  }
  report();
}

function acknowledge() {
  ackTimer = clearTimeout(ackTimer);
  if (!isWelcome || acked === seen?.count) return;
  acked = seen.count;
  line.send("ack " + acked);
}

// MARK: Status

let pageError = "";
let refusal = "";
let shownText = "";

function report() {
  const count = queue.length;
  if (count) root.dataset.pending = count;
  else delete root.dataset.pending;
  dataset.state = stopped ? "stopped" : isWelcome ? "connected" : "connecting";
  const changes = count > 1 ? ` ${count} changes wait.` : count ? " 1 change waits." : "";
  const isLate = !isWelcome && performance.now() > lostTime + 500;
  const text = stopped?.[0] ?? (refusal || pageError || (isLate ? "Reconnecting…" + changes : ""));
  if (text === shownText) return;
  statusLine.textContent = shownText = text;
  if (!stopped) return;
  const button = document.createElement("button");
  [, button.textContent, button.onclick] = stopped;
  statusLine.append(" ", button);
}

// MARK: Tabs

let address = /^\/s\/([^/]+)$/.exec(location.pathname)?.[1] ?? "";
let client, next;
let queue = []; // what is not acknowledged; an entry gets its number when it is sent first
let release = () => {};

// Makes this tab a client that no host knows.
function rename() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  client = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  next = 1;
  seen = undefined;
  for (const entry of queue) entry.number = 0;
}

// What was refused would be refused again.
function startOver() {
  queue = [];
  rename();
  store();
  reload();
}

// Returns whether input is missing that was sent.
function restore() {
  try {
    const record = JSON.parse(sessionStorage.getItem("live:" + address));
    queue = record.unsent.map(([number, content]) => ({ number, content }));
    ({ client, next } = record);
  } catch {
    rename();
  }
  const sent = queue.filter((entry) => entry.number);
  return sent.some((entry, index) => entry.number !== next - sent.length + index);
}

function store(oldAddress) {
  const kept = queue.filter((entry) => !entry.isSecret);
  const unsent = kept.map(({ number, content }) => [number, content]);
  while (JSON.stringify(unsent).length > 63900) unsent.pop();
  try {
    sessionStorage.removeItem("live:" + oldAddress);
    sessionStorage.setItem("live:" + address, JSON.stringify({ client, next, unsent }));
  } catch {
    // Without storage a reload costs what waits, and nothing else does.
  }
}

function move(to) {
  const oldAddress = address;
  address = to;
  history.replaceState(null, "", to ? "/s/" + to : "/");
  store(oldAddress);
}

// Takes the client's lock until the page is left; false if another tab has it.
const lock = () =>
  new Promise((answer) => {
    const hold = () => new Promise((done) => answer((release = done)));
    const options = { signal: AbortSignal.timeout(600) };
    const request = navigator.locks?.request("live:" + client, options, hold);
    if (request) request.catch(({ name }) => answer(name !== "TimeoutError"));
    else answer(true);
  });

async function begin(hasGap) {
  const isOwn = await lock();
  if (!isOwn) queue = []; // of the tab of which this one is a copy
  if (!isOwn || hasGap) {
    release();
    rename();
    if (!isOwn) move("");
    await lock();
  }
  store();
  connect();
}

// MARK: Input

const edits = new WeakMap(); // fields with values that are the user's
let isComposing = false;
let commitTime = 0; // of the last click or submit
let isDue = false;

const encode = (name, values) => `${name}?${new URLSearchParams(values)}`;

// Puts input into the queue, and returns its entry unless it is refused.
function offer(content, isSecret, field, key) {
  const length = queue.reduce((sum, entry) => sum + entry.content.length, content.length);
  const isFull = !key && queue.length && (queue.length > 255 || length > 64000);
  refusal = isFull ? "Not connected. Too many changes wait." : "";
  if (content.length > 65000) refusal = "The text is too long.";
  if (!isDue) queueMicrotask(pump);
  isDue = true;
  if (refusal) return;
  if (!key) commitTime = performance.now();
  // A value replaces one that was not sent, unless something came after that may depend on it.
  const last = queue.findLastIndex((entry) => entry.number || !entry.key);
  let entry = queue.find((entry, index) => index > last && entry.key === key);
  if (!entry) queue.push((entry = { number: 0, isSecret, field, key }));
  entry.content = content;
  return entry;
}

// Stores what has changed, and only then sends what may be sent.
function pump() {
  isDue = false;
  const ready = [];
  for (const entry of isWelcome ? queue : []) {
    const { number, key, field, isSent } = entry;
    if (isSent) continue;
    if (!number) {
      // One value of a field at a time; what came later stays behind it.
      if (key && queue.some((other) => other.number && other.key === key)) break;
      entry.number = next++;
      const edit = edits.get(field);
      if (edit) edit.isRendered = false; // what was rendered until now is older
    }
    entry.isSent = true;
    ready.push(entry);
  }
  store();
  for (const { number, content } of ready) line.send(`input ${number} ${content}`);
  if (queue[0]?.isSent) setDeadline(true);
  report();
}

function settleInputs(last) {
  setDeadline(false);
  const settled = queue.filter(({ number }) => number && number <= last);
  queue = queue.slice(settled.length);
  if (settled.length) hadWrongInput = false;
  for (const entry of settled) {
    const edit = edits.get(entry.field);
    if (edit?.entry !== entry) continue;
    edit.entry = undefined;
    edit.quietTime = performance.now() + 700;
    settle(entry.field);
    setTimeout(settle, 710, entry.field);
  }
  pump();
}

// Gives a field back to the host when its last value is acknowledged. That may overtake frames
// with older values: so, while the user types, a moment later.
function settle(field) {
  const edit = edits.get(field);
  if (!edit?.isRendered || edit.isLocal || edit.entry || isComposing) return;
  if (edit.time > commitTime && performance.now() < edit.quietTime) return;
  edits.delete(field);
  showRendered(field);
}

function takeEdit({ target: field }) {
  if (isComposing || rendered(field) === undefined) return;
  edits.set(field, { isLocal: true });
  const { input: name, value: id } = field.dataset;
  if (name === undefined) return;
  const value = field.type === "checkbox" ? field.checked : field.value;
  const content = encode(name, id === undefined ? { value } : { value, id });
  const entry = offer(content, field.type === "password", field, `${name} ${id}`);
  if (entry) edits.set(field, { entry, time: performance.now() });
}

page.oninput = takeEdit;
page.addEventListener("compositionstart", () => (isComposing = true));
page.addEventListener("compositionend", (event) => {
  isComposing = false;
  takeEdit(event);
  showWaiting();
});

page.onclick = (event) => {
  const element = event.target.closest("[data-click]");
  if (!element) return;
  const { click: name, value } = element.dataset;
  const entry = offer(value === undefined ? name : encode(name, { value }));
  if (!entry || element.localName === "a") event.preventDefault();
};

page.onsubmit = (event) => {
  const form = event.target;
  const name = form.dataset.submit;
  if (name === undefined) return;
  event.preventDefault();
  const values = [...new FormData(form, event.submitter)].filter(([, value]) => value.trim);
  const isSecret = [...form.elements].some(({ type, value }) => type === "password" && value);
  if (!offer(encode(name, values), isSecret)) return;
  for (const field of form.elements) {
    if (field.dataset.input !== undefined) continue;
    edits.delete(field);
    showRendered(field);
  }
};

// MARK: Patches

const twins = new WeakMap(); // how each element was rendered last
let taken, gone, wanted;

function patch(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const focused = document.activeElement;
  taken = new Set();
  gone = new Set();
  wanted = undefined;
  for (const twin of template.content.children) {
    const node = document.getElementById(twin.id);
    if (page.contains(node)) update(node, twin);
  }
  // Only now: a child may have gone to a parent that comes later.
  for (const node of gone) node.remove();
  if (focused !== document.activeElement) {
    page.tabIndex = -1;
    (focused.isConnected ? focused : page).focus({ preventScroll: true });
  }
  wanted?.focus();
  document.title = page.dataset.title ?? document.title;
}

// Makes a node what its twin is, but for what the user alone has changed.
function update(node, twin) {
  if (!twin.localName) {
    if (node.data !== twin.data) node.data = twin.data;
  } else if (node.localName !== twin.localName) {
    insert(twin, node.parentNode, node);
    gone.add(node);
  } else if (!twin.hasAttribute("data-keep")) {
    const last = twins.get(node) ?? node;
    const hasChanged = rendered(last) !== rendered(twin);
    updateAttributes(node, last, twin);
    twins.set(node, twin);
    updateChildren(node, twin);
    const edit = edits.get(node);
    // An input without a value is not the host's to clear.
    if (edit) edit.isRendered ||= hasChanged || rendered(twin) !== null;
    else if (hasChanged) showRendered(node);
    settle(node);
  }
}

function updateAttributes(node, last, twin) {
  for (const { name, value } of twin.attributes) {
    if (last.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  for (const { name } of [...last.attributes]) {
    if (!twin.hasAttribute(name)) node.removeAttribute(name);
  }
}

function insert(twin, parent, place) {
  const node = document.importNode(twin, false);
  parent.insertBefore(node, place);
  taken.add(node);
  update(node, twin);
  if (twin.localName && twin.hasAttribute("data-focus")) wanted ??= node;
}

function updateChildren(parent, twinParent) {
  const old = [...parent.childNodes];
  const nameless = {};
  for (const node of old) if (!idOf(node)) (nameless[node.nodeName] ??= []).push(node);
  const pairs = [...twinParent.childNodes].map((twin) => {
    const node = idOf(twin) ? existing(twin, parent) : nameless[twin.nodeName]?.shift();
    taken.add(node);
    gone.delete(node);
    return [node, twin];
  });
  for (const node of old) if (!taken.has(node)) gone.add(node);
  const hasFocus = (node) => node?.contains(document.activeElement);
  let place = parent.firstChild;
  for (const [node, twin] of pairs) {
    while (gone.has(place)) place = place.nextSibling;
    // What is passed over moves when its turn comes. What has the focus does not move.
    const isNear = node === place?.nextSibling && !hasFocus(place);
    const isHere = node?.parentNode === parent && (isNear || hasFocus(node));
    if (!node) insert(twin, parent, place);
    else if (node === place || isHere) place = node.nextSibling;
    else if (parent.moveBefore) parent.moveBefore(node, place);
    else parent.insertBefore(node, place);
  }
  for (const [node, twin] of pairs) if (node) update(node, twin);
}

// A form has its fields as properties, so that `form.id` may be one of them.
const idOf = (node) => node.localName && node.getAttribute("id");

// The element for which a twin stands, if it can become a child of the parent.
function existing(twin, parent) {
  const node = document.getElementById(idOf(twin));
  if (!page.contains(node) || node.contains(parent) || taken.has(node)) return;
  if (node.localName === twin.localName) return node;
}

// MARK: Fields

const isCheck = ({ type }) => type === "checkbox" || type === "radio";

// The value that the host gives a field: null for none, undefined for what is not a field.
function rendered(field) {
  if (isCheck(field)) return field.defaultChecked;
  if (field.localName === "input") return field.getAttribute("value");
  if (field.localName !== "select") return field.defaultValue;
  return Array.from(field.querySelectorAll("[selected]"), (option) => option.value).join("\n");
}

function showRendered(field) {
  if (rendered(field) === undefined) return;
  if (isCheck(field)) field.checked = field.defaultChecked;
  for (const option of field.options ?? []) option.selected = option.defaultSelected;
  if (field.options || isCheck(field) || field.value === field.defaultValue) return;
  const { selectionStart, selectionEnd } = field;
  field.value = field.defaultValue;
  // Safari would give the field the focus.
  if (selectionStart === null || field !== document.activeElement) return;
  field.setSelectionRange(selectionStart, selectionEnd);
}

// MARK: Begin

const visibility = () => (document.visibilityState === "visible" ? 1 : 0);

document.onvisibilitychange = () => {
  if (isWelcome) line.send("visible " + visibility());
  else if (visibility()) connect();
};
window.ononline = connect;
window.onpagehide = () => {
  hangUp();
  release();
};
window.onpageshow = ({ persisted }) => {
  if (persisted) begin();
};
setTimeout(report, 510);
begin(restore());
