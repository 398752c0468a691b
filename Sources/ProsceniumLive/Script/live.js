// SPDX-License-Identifier: Apache-2.0
"use strict";

// Shows a session's page, and sends what the user does.

const page = document.getElementById("page");
const statusLine = document.getElementById("live-status");
const { dataset } = document.body;
const home = dataset.line;

// MARK: Connection

const now = () => performance.now();
let line, isOpen, isTold, lost, renewed, wasWrong, retry, deadline;
let stopped; // its text, label and action
let failures = 0;
let lostAt = now();

const leave = () => location.assign("/");
const endings = {
  1: ["This page is open in another tab.", "Use it here", () => connect((stopped = null))],
  2: ["This session has ended.", "Start a new one", leave],
  4401: ["Your sign-in has expired.", "Reload", () => location.reload()],
  4403: ["You may not open this session.", "Start a new one", leave],
};

const messages = {
  __proto__: null,
  welcome: takeWelcome,
  frame: takeFrame,
  acknowledged: settleAll,
  renew: () => renewLine(line, 1),
  move,
  line: takePath,
  end: (reason) => lose(+reason),
};

function connect() {
  clearTimeout(retry);
  if (line || stopped) return;
  isTold = false;
  const query = lost ? "?lost=" + encodeURIComponent(lost) : "";
  line = new WebSocket(location.origin.replace("http", "ws") + dataset.line + query);
  line.onopen = () => {
    const seen = shown ? `${epoch}/${shown}` : "-";
    line.send(`hello 1 ${client} ${+!document.hidden} ${next} ${seen} ${address}`);
  };
  line.onmessage = ({ data }) => {
    const [, word, ...fields] = /^(\S*) ?(\S*) ?(\S*) ?([^]*)$/.exec(data);
    messages[word]?.(...fields);
  };
  line.onclose = ({ code }) => lose(code);
  deadline = setTimeout(lose, 10000);
  setTimeout(report, 510);
  report();
}

function hangUp() {
  clearTimeout(retry);
  deadline = clearTimeout(deadline);
  if (isOpen) lostAt = now();
  isOpen = false;
  if (!line) return;
  line.onopen = line.onmessage = line.onclose = null;
  line.close();
  line = undefined;
}

function lose(reason) {
  hangUp();
  const isFatal = /^([5-8]|100[23789])$/.test(reason);
  if (reason === 4401 && !renewed) {
    renewed = true;
    renew().then(connect, () => lose(4401));
  } else if (isFatal || (reason === 4 && wasWrong)) {
    stopped = [`This page cannot be shown (${reason}).`, "Try again", startOver];
  } else if (reason in endings) {
    stopped = endings[reason];
  } else {
    wasWrong ||= reason === 4;
    failures++;
    retry = setTimeout(connect, delay(failures));
    // Another node waits until the one that is not reached is there again, or is not the owner.
    if (!isTold && dataset.line !== home) [lost, dataset.line] = [dataset.line, home];
    if (failures === 3 && !isTold) {
      // A refused token looks the same.
      lost = "";
      renew().then(connect, () => {});
    }
  }
  report();
}

function takePath(path) {
  // A node that is not reached is a failure each time.
  if (path !== lost) failures = 0;
  isTold = true;
  dataset.line = path;
}

function delay(attempt) {
  if (attempt === 1) return 100 + 200 * Math.random();
  return Math.random() * Math.min(10000, 300 * 2 ** (attempt - 2));
}

async function renew() {
  const { ok } = await fetch(dataset.renew, { method: "POST" });
  if (!ok) throw ok;
}

function renewLine(socket, attempt) {
  if (socket !== line) return;
  const again = () => setTimeout(renewLine, delay(attempt), socket, attempt + 1);
  renew().then(hangUp).then(connect, again);
}

function takeWelcome(version, newEpoch, rest) {
  const [last, reset] = rest.split(" ");
  isOpen = isTold = true;
  lost = "";
  renewed = false;
  failures = 0;
  epoch = newEpoch;
  partial = "";
  waiting = [];
  refusal = "";
  if (reset > 0) shown = 0;
  received = acked = shown;
  for (const entry of queue) entry.isSent = false;
  settleAll(reset === "4" ? Infinity : last);
}

// MARK: Frames

let epoch, partial, waiting, received, acked, ackTimer;
let shown = 0;

function takeFrame(ofEpoch, number, content) {
  const count = +number;
  if (ofEpoch !== epoch || (received && count !== received + 1)) return lose();
  received = count;
  partial += content.slice(1);
  if (content[0] === "+") return;
  waiting.push({ count, text: partial, isError: content[0] === "!" });
  partial = "";
  if (waiting.length > 1000) lose();
  else showWaiting();
}

function showWaiting() {
  if (composing) return;
  for (const { count, text, isError } of waiting.splice(0)) {
    problem = isError && text;
    if (!isError) patch(text);
    shown = count;
    if (count % 4) ackTimer ??= setTimeout(sendAck, 30);
    else sendAck();
  }
  report();
}

function sendAck() {
  ackTimer = clearTimeout(ackTimer);
  if (isOpen && acked < shown) line.send("ack " + shown);
  acked = shown;
}

// MARK: Status

let problem, refusal;

function report() {
  const count = queue.length;
  const marks = document.documentElement.dataset;
  if (count) marks.pending = count;
  else delete marks.pending;
  dataset.state = stopped ? "stopped" : isOpen ? "connected" : "connecting";
  const changes = count ? ` ${count} ${count > 1 ? "changes wait" : "change waits"}.` : "";
  const late = !isOpen && now() > lostAt + 500 ? "Reconnecting…" + changes : "";
  const text = stopped?.[0] || refusal || problem || late;
  if (text === (statusLine.firstChild?.data ?? "")) return;
  statusLine.textContent = text;
  if (!stopped) return;
  const button = document.createElement("button");
  [, button.textContent, button.onclick] = stopped;
  statusLine.append(" ", button);
}

// MARK: Tabs

let address = /^\/s\/([^/]+)$/.exec(location.pathname)?.[1] ?? "";
let client, next;
let queue = []; // what is not acknowledged; only what was sent has numbers
let release = () => {};

function rename() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  client = Array.from(bytes, (byte) => (byte + 256).toString(16).slice(1)).join("");
  next = 1;
  shown = 0;
  for (const entry of queue) entry.number = 0;
}

// What was refused would be refused again.
function startOver() {
  queue = [];
  rename();
  store();
  location.reload();
}

// Returns whether sent input is missing.
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

function store(old) {
  const kept = queue.filter(({ secret }) => !secret);
  const unsent = kept.map(({ number, content }) => [number, content]);
  while (JSON.stringify(unsent).length > 63900) unsent.pop();
  try {
    sessionStorage.removeItem("live:" + old);
    sessionStorage.setItem("live:" + address, JSON.stringify({ client, next, unsent }));
  } catch {} // a reload loses what waits
}

function move(to) {
  const old = address;
  address = to;
  history.replaceState(null, "", to ? "/s/" + to : "/");
  store(old);
}

// False if another tab has the client's lock.
const lock = () =>
  new Promise((answer) => {
    const hold = () => new Promise((done) => answer((release = done)));
    const failed = ({ name }) => answer(name !== "TimeoutError");
    const signal = AbortSignal.timeout(600);
    if (!navigator.locks) answer(true);
    else navigator.locks.request("live:" + client, { signal }, hold).catch(failed);
  });

async function begin(hasGap) {
  const isCopy = !(await lock());
  if (isCopy) queue = [];
  if (isCopy) move("");
  if (isCopy || hasGap) {
    release();
    rename();
    await lock();
  }
  store();
  if ("needsToken" in dataset) await renew().catch(() => {});
  connect();
}

// MARK: Input

const edits = new WeakMap(); // the last entries of fields that show the user's value
let clickAt = 0;
let composing, isDue;

const isCheck = ({ type }) => /^(checkbox|radio)$/.test(type);

// Null if the host gives no value, undefined if there can be none.
function rendered(field) {
  if (isCheck(field)) return field.defaultChecked;
  if (field.localName === "select") return field.querySelector("[selected]")?.value ?? null;
  return field.localName === "input" ? field.getAttribute("value") : field.defaultValue;
}

const encode = (name, values) => `${name}?${new URLSearchParams(values)}`;

function offer(content, secret, field, key) {
  const length = queue.reduce((sum, entry) => sum + entry.content.length, 0);
  const isFull = !key && (queue.length > 255 || length > 64000);
  refusal = isFull ? "Not connected. Too many changes wait." : "";
  if (content.length > 65000) refusal = "The text is too long.";
  if (!isDue) queueMicrotask(pump);
  isDue = true;
  if (refusal) return;
  // A value replaces one that was not sent, unless a click came after it.
  const last = queue.findLastIndex((other) => other.number || !other.key);
  let entry = queue.slice(last + 1).find((other) => other.key === key);
  if (!entry) queue.push((entry = { number: 0, secret, field, key }));
  if (!key) clickAt = now();
  return Object.assign(entry, { content, time: now() });
}

// Stores what changed before it sends it.
function pump() {
  isDue = false;
  const ready = [];
  for (const entry of isOpen ? queue : []) {
    const { number, key, isSent } = entry;
    if (!number) {
      // One value of a field at a time, and nothing overtakes it.
      if (key && queue.some((other) => other.number && other.key === key)) break;
      entry.number = next++;
      entry.isSaid = false; // an older value was
    }
    if (!isSent) ready.push(entry);
    entry.isSent = true;
  }
  store();
  for (const { number, content } of ready) line.send(`input ${number} ${content}`);
  if (queue[0]?.isSent) deadline ??= setTimeout(lose, 10000);
  report();
}

function settleAll(last) {
  deadline = clearTimeout(deadline);
  const settled = queue.filter(({ number }) => number && number <= last);
  queue = queue.slice(settled.length);
  if (settled.length) wasWrong = false;
  for (const entry of settled) {
    entry.quiet = now() + 700;
    settle(entry.field);
    setTimeout(settle, 710, entry.field);
  }
  pump();
}

// Shows the host's value. An acknowledgement may overtake frames with older ones: while the user
// types, they get a moment.
function settle(field) {
  const edit = edits.get(field);
  if (!field || composing || (edit && (!edit.isSaid || !edit.quiet))) return;
  if (edit?.time > clickAt && now() < edit.quiet) return;
  edits.delete(field);
  if (isCheck(field)) field.checked = field.defaultChecked;
  else if (field.localName === "select") {
    for (const option of field.options) option.selected = option.defaultSelected;
  } else if (rendered(field) !== undefined && field.value !== field.defaultValue) {
    const { selectionStart, selectionEnd } = field;
    field.value = field.defaultValue;
    // In Safari it would take the focus.
    if (selectionStart === null || field !== document.activeElement) return;
    field.setSelectionRange(selectionStart, selectionEnd);
  }
}

function takeEdit({ target: field }) {
  if (composing) return;
  edits.set(field, {});
  const { input: name, value: id } = field.dataset;
  if (name === undefined) return;
  const value = field.type === "checkbox" ? field.checked : field.value;
  const content = encode(name, id === undefined ? { value } : { value, id });
  const entry = offer(content, field.type === "password", field, `${name} ${id}`);
  if (entry) edits.set(field, entry);
}

page.oninput = takeEdit;
page.addEventListener("compositionstart", () => (composing = true));
page.addEventListener("compositionend", (event) => {
  composing = false;
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
  const isText = ([, value]) => typeof value === "string";
  const values = [...new FormData(form, event.submitter)].filter(isText);
  const secret = [...form.elements].some(({ type }) => type === "password");
  const entry = offer(encode(name, values), secret);
  if (!entry) return;
  for (const field of form.elements) {
    // What is typed next does not go on what was sent.
    if ("clear" in field.dataset) {
      edits.set(field, Object.assign(entry, { field, time: Infinity }));
      field.value = "";
    }
    if (field.dataset.input !== undefined) continue;
    edits.delete(field);
    settle(field);
  }
};

// MARK: Patches

const twins = new WeakMap(); // how each element was rendered last
let taken, gone, fields, wanted;

function patch(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const focused = document.activeElement;
  [taken, gone, fields, wanted] = [new Set(), new Set(), []];
  for (const { content } of template.content.children) {
    const twin = content.firstElementChild;
    const node = document.getElementById(twin.id);
    if (page.contains(node)) update(node, twin);
  }
  // Only now: a child may have moved to a later parent.
  for (const node of gone) node.remove();
  for (const field of fields) settle(field);
  if (focused !== document.activeElement) {
    page.tabIndex = -1;
    (focused.isConnected ? focused : page).focus({ preventScroll: true });
  }
  wanted?.focus();
  document.title = page.dataset.title ?? document.title;
}

// What only the user has changed stays.
function update(node, twin) {
  if (!twin.localName) {
    if (node.data !== twin.data) node.data = twin.data;
  } else if (node.localName !== twin.localName) {
    insert(twin, node.parentNode, node);
    gone.add(node);
  } else if (!twin.hasAttribute("data-keep")) {
    const last = twins.get(node) ?? node;
    const isNew = rendered(last) !== rendered(twin);
    for (const { name, value } of twin.attributes) {
      if (last.getAttribute(name) !== value) node.setAttribute(name, value);
    }
    for (const { name } of [...last.attributes]) {
      if (!twin.hasAttribute(name)) node.removeAttribute(name);
    }
    twins.set(node, twin);
    arrange(node, twin);
    const edit = edits.get(node);
    // Without a value it is not the host's to clear.
    if (edit) edit.isSaid ||= isNew || rendered(twin) !== null;
    if (edit || isNew) fields.push(node);
  }
}

function insert(twin, parent, place) {
  const node = document.importNode(twin, false);
  parent.insertBefore(node, place);
  taken.add(node);
  update(node, twin);
  if (twin.hasAttribute?.("data-focus")) wanted ??= node;
}

function arrange(parent, other) {
  const old = [...parent.childNodes];
  const loose = Object.groupBy(old, (node) => (idOf(node) ? "" : node.nodeName));
  const pairs = [...other.childNodes].map((twin) => {
    const node = idOf(twin) ? known(twin, parent) : loose[twin.nodeName]?.shift();
    taken.add(node);
    gone.delete(node);
    return [node, twin];
  });
  for (const node of old) if (!taken.has(node)) gone.add(node);
  const hasFocus = (node) => node?.contains(document.activeElement);
  let place = parent.firstChild;
  for (const [node, twin] of pairs) {
    while (gone.has(place)) place = place.nextSibling;
    // What is passed over moves later. What has the focus never does.
    const isNear = node === place?.nextSibling && !hasFocus(place);
    const isHere = node?.parentNode === parent && (isNear || hasFocus(node));
    if (node === place || isHere) place = node.nextSibling;
    else if (!node) insert(twin, parent, place);
    else if (parent.moveBefore) parent.moveBefore(node, place);
    else parent.insertBefore(node, place);
    if (node) update(node, twin);
  }
}

// `form.id` may be one of its fields.
const idOf = (node) => node.getAttribute?.("id");

function known(twin, parent) {
  const node = document.getElementById(idOf(twin));
  if (!page.contains(node) || node.contains(parent) || taken.has(node)) return;
  if (node.localName === twin.localName) return node;
}

// MARK: Begin

document.onvisibilitychange = () => {
  if (isOpen) line.send(`visible ${+!document.hidden}`);
  else if (!document.hidden) connect();
};
window.ononline = connect;
window.onpagehide = () => {
  hangUp();
  release();
};
window.onpageshow = ({ persisted }) => persisted && begin();
begin(restore());
