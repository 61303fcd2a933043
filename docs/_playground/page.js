// The page: an editor with what is found of each line beside it, and a form that writes commands.  It runs nothing
// itself; the worker does, and nothing but files of this site is asked for.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Annotation, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { FIELDS, commandOf, plotted } from "./commands.js";
import { draw } from "./plot.js";

const root = document.getElementById("live-playground");
const home = new URL(root.dataset.home, location.href);
const PAUSE = 400; // milliseconds without a change until the text is checked

function make(tag, properties = {}, ...children) {
  const { data, ...plain } = properties;
  const made = Object.assign(document.createElement(tag), plain);
  Object.assign(made.dataset, data);
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

const status = make("span", { className: "pg-status", role: "status" });
const bar = make("progress", { max: 1, value: 0, ariaLabel: "loading" });
const stop = make("button", { type: "button", textContent: "Stop", onclick: () => restart("Stopped.") });
const copy = make("button", { type: "button", textContent: "Copy link", onclick: copyLink });
const tabs = { check: tab("Check a derivation", "check"), ask: tab("Ask a question", "ask") };
const samples = make("select", { ariaLabel: "samples", onchange: () => samples.value && open(samples.value) });
const place = make("div", { className: "pg-editor" });
const margin = make("div", { className: "pg-margin", ariaLabel: "what was found" });
const summary = make("p", { className: "pg-summary" });
const form = make("form", { className: "pg-form", onsubmit: (event) => { event.preventDefault(); ask(); } });
const command = make("input", {
  type: "text", className: "pg-command", spellcheck: false, autocapitalize: "off", ariaLabel: "command", oninput: remember,
});
const answer = make("pre", { className: "pg-answer", tabIndex: 0 });
const picture = make("figure", { className: "pg-plot", hidden: true });
const panels = {
  check: make("section", {}, make("div", { className: "pg-columns" }, place, margin), summary),
  ask: make("section", {}, form, answer, picture),
};

function tab(words, name) {
  return make("button", { type: "button", textContent: words, onclick: () => { show(name); remember(); } });
}

function show(name) {
  for (const key in tabs) {
    tabs[key].ariaPressed = String(key === name);
    panels[key].hidden = key !== name;
  }
  if (name === "check") { view.requestMeasure(); arrange(); }
}
const shown = () => (panels.check.hidden ? "ask" : "check");

// --- the editor, and the margin

const quietly = Annotation.define(); // changes that the page makes itself
const marking = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(marking)) continue;
      const lines = new Map();
      for (const { line, verdict } of effect.value) if (line <= transaction.state.doc.lines) {
        lines.set(line, worse(lines.get(line), verdict));
      }
      value = Decoration.set([...lines].sort(([a], [b]) => a - b).map(([line, verdict]) =>
        Decoration.line({ class: `pg-line ${verdict}` }).range(transaction.state.doc.line(line).from)));
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});
const ORDER = ["waiting", "proved", "certified", "cited", "supported", "unread", "open", "refuted"];
const worse = (one, other) => (one === undefined || ORDER.indexOf(other) > ORDER.indexOf(one) ? other : one);

const view = new EditorView({
  parent: place,
  state: EditorState.create({
    extensions: [
      lineNumbers(), history(), keymap.of([...defaultKeymap, ...historyKeymap]), marks, EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "a derivation", spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((t) => t.annotation(quietly))) edited();
        if (update.geometryChanged) arrange();
      }),
    ],
  }),
});

let name = "text.md"; // what its ending says the text is
let steps = []; // of the text as it stands: line, verdict and what else is known
let asked = 0; // the number of the last question
let checking = 0; // that of the last check
let timer;
let opened = 0; // the number of the last text or question that was opened

function put(text) {
  clearTimeout(timer);
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: quietly.of(true) });
}

function edited() {
  samples.value = "";
  steps = steps.map((step) => ({ ...step, old: true }));
  paint();
  opened += 1;
  clearTimeout(timer);
  timer = setTimeout(() => { remember(); check(); }, PAUSE);
}

function begin(text) {
  window.playground.checked = null;
  checking = send({ check: text, name });
}

function check() {
  begin(view.state.doc.toString());
  summary.textContent = ready ? "Checking …" : "";
}

function point(step) {
  if (!step.witness) return null;
  const at = Object.entries(step.witness).map(([key, value]) => `${key} = ${value}`).join(", ") || "every point";
  const sides = [["left side", step.lhs_value], ["right side", step.rhs_value]].filter(([, value]) => value);
  return make("div", { className: "pg-witness" }, `at ${at}`, ...sides.map(([side, value]) =>
    make("div", { textContent: `${side} = ${value}` })));
}

function advice(step) {
  if (!step.suggestion) return null;
  const use = step.edit && !step.old
    ? make("button", { type: "button", textContent: "Use it", onclick: () => view.dispatch({ changes: step.edit }) }) : null;
  return make("div", { className: "pg-suggestion" }, "suggestion: ", make("code", { textContent: step.suggestion }), " ", use);
}

function card(step) {
  const worth = make("span", { className: `verdict ${step.verdict}`, textContent: step.verdict });
  const head = make("div", { className: "pg-head" }, make("span", { className: "pg-number", textContent: `line ${step.line} ` }),
    worth, step.early ? " so far" : step.method && step.verdict !== "unread" ? ` ${step.method}` : "");
  const why = step.why ? make("div", { className: "pg-why", textContent: step.why, title: step.why }) : null;
  const made = make("article", { className: `pg-card ${step.verdict}${step.old ? " pg-old" : ""}`, data: { line: step.line } },
    head, step.verdict === "refuted" ? null : why, point(step), advice(step));
  made.onclick = (event) => { if (event.target.tagName !== "BUTTON") made.classList.toggle("pg-open"); arrange(); };
  return made;
}

function paint() {
  margin.replaceChildren(...steps.map(card));
  view.dispatch({ effects: marking.of(steps) });
  arrange();
}

// each card at the height of its line, or below the one before; on a narrow screen style puts them in a row below
let arranging = false;
function arrange() {
  if (arranging) return;
  arranging = true;
  requestAnimationFrame(() => {
    arranging = false;
    let free = 0;
    for (const one of margin.children) {
      const line = Math.min(Number(one.dataset.line), view.state.doc.lines);
      const top = Math.max(free, view.lineBlockAt(view.state.doc.line(line).from).top);
      one.style.top = `${top}px`;
      free = top + one.offsetHeight + 4;
    }
    margin.style.minHeight = `${free}px`;
  });
}

function reported(report) {
  steps = report.steps.filter((step) => !step.file).map((step, number) => ({ ...steps[number], ...step,
    suggestion: step.suggestion ?? null, early: false }));
  paint();
  const counts = Object.entries(report.counts).filter(([verdict, n]) => n && ORDER.includes(verdict))
    .map(([verdict, n]) => `${n} ${verdict}`).join(", ");
  summary.replaceChildren(make("span", { className: `verdict ${report.verdict}`, textContent: report.verdict }),
    ` ${counts}`, ...report.notes.map((note) => make("div", { textContent: `note: ${note}` })));
  if (report.conclusion) summary.append(make("div", { textContent: `shows: ${report.conclusion}` }));
}

function found(said) {
  if (said.lines) {
    steps = said.lines.map((line) => ({ line, verdict: "waiting" }));
  } else if (said.report) {
    reported(said.report);
    return;
  } else if (steps[said.number]) {
    // the report, which comes last, may still hold less of a step than was found of it alone
    Object.assign(steps[said.number], said, said.verdict ? { early: true } : {});
  }
  paint();
}

// --- the form

let kind = "account";
function build() {
  const choice = make("select", { ariaLabel: "what to do", onchange: () => { kind = choice.value; build(); compose(); } },
    ...Object.keys(FIELDS).map((key) => make("option", { value: key, textContent: key, selected: key === kind })));
  const inputs = Object.entries(FIELDS[kind]).map(([key, { words, usual, hint }]) =>
    make("label", {}, `${words} `, make("input", {
      name: key, value: usual, placeholder: hint ?? "", type: "text", spellcheck: false, autocapitalize: "off", oninput: compose,
    })));
  form.replaceChildren(make("label", {}, "question ", choice), ...inputs,
    make("label", { className: "pg-wide" }, "the command ", command),
    make("button", { type: "submit", textContent: "Ask" }));
}
const values = () => Object.fromEntries(new FormData(form));

function compose() {
  command.value = commandOf(kind, values());
  remember();
}

async function ask() {
  remember();
  answer.textContent = ready ? "…" : "dpsym is still loading; the answer comes then.";
  picture.hidden = true;
  answer.dataset.state = "waiting";
  const done = await new Promise((resolve) => send({ run: command.value }, resolve));
  answer.textContent = `${done.output ?? ""}${done.errors ?? ""}${done.problem ?? ""}`;
  answer.dataset.state = "there";
  const plot = command.value === commandOf(kind, values()) ? plotted(kind, values()) : null;
  if (plot === null) return;
  if (plot.problem) { answer.textContent += `\n${plot.problem}`; return; }
  const points = [];
  for (const value of plot.values) {
    status.textContent = `Computing point ${points.length + 1} of ${plot.values.length} of the plot …`;
    const one = await new Promise((resolve) => send({ run: plot.command(value) }, resolve));
    let read = null;
    try { read = plot.read(JSON.parse(one.output)); } catch { /* no number there */ }
    points.push({ x: value, y: read });
    picture.hidden = false;
    picture.replaceChildren(draw(points, plot));
  }
  picture.dataset.state = "there";
  say("Ready.");
}

// --- the worker

let worker;
let ready = false;
const waitingFor = new Map(); // by number: the message, and what to do with the answer
// `checked` is the text whose report is shown, null while one is checked
window.playground = { view, checked: null, ready: null, ask: (run) => new Promise((resolve) => send({ run }, resolve)) };

function send(message, then = () => {}) {
  const id = ++asked;
  waitingFor.set(id, { message: { id, ...message }, then });
  worker?.postMessage({ id, ...message });
  if (ready) say("Working …");
  return id;
}

function say(words) {
  status.textContent = words;
  stop.disabled = ready && waitingFor.size === 0;
}

function start() {
  ready = false;
  bar.hidden = false;
  worker = new Worker(new URL("worker.js", home), { type: "module" });
  worker.onerror = () => failed("the worker could not be started");
  worker.onmessage = ({ data }) => {
    if (data.loading) {
      bar.value = data.part;
      say(`Loading ${data.loading} …`);
    } else if (data.ready !== undefined) {
      ready = true;
      bar.hidden = true;
      window.playground.ready = data.ready;
      say(waitingFor.size ? "Working …" : `Ready after ${(data.ready / 1000).toFixed(1)} s. Nothing you write leaves this page.`);
    } else if (data.failed) {
      failed(data.failed);
    } else if (data.post) {
      if (data.id === checking) found(data.post);
    } else {
      const { message, then } = waitingFor.get(data.id) ?? { then() {} };
      waitingFor.delete(data.id);
      for (const [id, { message }] of waitingFor) if (message.check !== undefined && id < checking) waitingFor.delete(id);
      if (data.id === checking && !data.done.outdated) {
        window.playground.checked = message.check;
        if (data.done.problem) {
          steps = [];
          paint();
          summary.textContent = data.done.line ? `line ${data.done.line}: ${data.done.problem}` : data.done.problem;
        } else {
          summary.append(make("small", { textContent: ` ${data.seconds.toFixed(1)} s` }));
        }
      }
      say(waitingFor.size ? "Working …" : "Ready.");
      then(data.done);
    }
  };
  for (const { message } of waitingFor.values()) worker.postMessage(message);
}

function restart(words) {
  worker?.terminate();
  waitingFor.clear();
  answer.dataset.state = "there";
  if (answer.textContent === "…") answer.textContent = words;
  if (summary.textContent.startsWith("Checking")) summary.textContent = words;
  steps = steps.map((step) => (step.verdict === "waiting" ? { ...step, verdict: "open", why: "stopped" } : step));
  paint();
  start();
}

function failed(words) {
  bar.hidden = true;
  say(`dpsym cannot run here: ${words}. On the command line it can: pip install . in the repository`);
}

// --- links

const encode = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decode = (text) => new TextDecoder().decode(
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)));

function remember() {
  const state = new URLSearchParams();
  if (shown() === "check") {
    state.set("check", encode(view.state.doc.toString()));
    if (name !== "text.md") state.set("name", name);
  } else {
    state.set("run", command.value);
    if (command.value === commandOf(kind, values())) {
      state.set("form", kind);
      for (const [key, value] of Object.entries(values())) if (value) state.set(`f.${key}`, value);
    }
  }
  window.history.replaceState(null, "", `#${state}`);
}

async function copyLink() {
  remember();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied; it holds all that is written here.");
  } catch {
    say("The address of this page is the link; it holds all that is written here.");
  }
}

const json = async (path) => (await fetch(new URL(path, home))).json();
let stored = { samples: [] };

// a sample or a proof: what was found of it before stands there until it is found anew
async function open(which, number = ++opened) {
  const sample = stored.samples.find((one) => one.id === which) ?? await json(`proofs/${which}.json`);
  if (number !== opened) return; // something else was, or was written, while this one came
  if (sample.command) {
    show("ask");
    command.value = sample.command;
    answer.textContent = sample.answer;
    remember();
    ask();
    if (!ready) answer.textContent = sample.answer;
    return;
  }
  show("check");
  name = sample.name;
  put(sample.text);
  steps = [];
  if (sample.report.counts) reported(sample.report);
  else { steps = sample.report.steps; paint(); }
  summary.append(make("small", { textContent: " as it was recorded; it is checked again here" }));
  window.history.replaceState(null, "", `#${new URLSearchParams({ open: which })}`);
  begin(sample.text);
}

async function fromAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  const number = ++opened;
  if (state.has("check")) {
    show("check");
    name = /^[\w.-]{1,80}$/.test(state.get("name") ?? "") ? state.get("name") : "text.md";
    try { put(decode(state.get("check"))); } catch { put(""); }
    check();
  } else if (state.has("run")) {
    show("ask");
    if (state.get("form") in FIELDS) {
      kind = state.get("form");
      build();
      for (const input of form.querySelectorAll("input[name]")) input.value = state.get(`f.${input.name}`) ?? "";
    }
    command.value = state.get("run");
    ask();
  } else {
    const which = state.get("open") ?? stored.samples[0].id;
    try { await open(which, number); } catch {
      if (number !== opened) return;
      say(`there is nothing called ${which} here`);
      await open(stored.samples[0].id, number);
    }
    if (number === opened) samples.value = stored.samples.some((one) => one.id === which) ? which : "";
  }
}

// --- all of it

root.replaceChildren(
  make("div", { className: "pg-bar" }, tabs.check, tabs.ask, samples, make("span", { className: "pg-right" }, copy, stop)),
  make("div", { className: "pg-state" }, bar, status), panels.check, panels.ask);
build();
command.value = commandOf(kind, values());
show("check");
if (typeof WebAssembly === "object") start();
else failed("this browser has no WebAssembly");
stored = await json("samples.json");
samples.append(make("option", { value: "", textContent: "Samples …" }),
  ...stored.samples.map((one) => make("option", { value: one.id, textContent: one.title })));
addEventListener("hashchange", fromAddress);
addEventListener("resize", arrange);
await fromAddress();
