// dpsym in a worker of the page.  It is told {id, run: command} or {id, check: text, name}, and answers with what
// inside.py gives, under the same id: {id, post} as often as it likes, then {id, done}.  A later check outdates an earlier.
import { boot } from "./boot.js";

const TITLES = { modules: "SymPy and mpmath", native: "FLINT", package: "dpsym" };
const NAMES = Object.keys(TITLES);
// whether WebAssembly can wait for a promise; without it Python hears of nothing until a check is done
const WAITS = typeof WebAssembly.Suspending === "function";
const began = performance.now();
const since = () => Math.round(performance.now() - began);
let got = 0;

// an archive, unpacked by the browser while it comes
async function fetched(name, sizes) {
  const total = NAMES.reduce((sum, each) => sum + sizes[`${each}.bin`], 0);
  const answer = await fetch(`${name}.bin`);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const counting = new TransformStream({
    transform(part, controller) {
      got += part.length;
      postMessage({ loading: `Python, ${TITLES[name]}`, part: 0.6 * (got / total) });
      controller.enqueue(part);
    },
  });
  const bytes = answer.body.pipeThrough(counting).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}

function rest() {
  const request = new XMLHttpRequest();
  request.open("GET", "rest.bin", false);
  request.responseType = "arraybuffer";
  request.send();
  return new Uint8Array(request.response);
}

// the first `await` is below this handler: a message that comes before there is one would be lost
const latest = { check: 0 };
const waiting = [];
let inside;
let busy = false;
// messages that come while Python waits for one are seen here, so that an outdated check can end
onmessage = ({ data }) => {
  if (data.check !== undefined) latest.check = data.id;
  waiting.push(data);
  work();
};
const turn = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  port2.postMessage(0);
});

async function work() {
  if (busy || inside === undefined) return;
  busy = true;
  for (let asked; (asked = waiting.shift()) !== undefined; ) {
    await turn(); // what was sent while Python could not wait is heard before anything is begun
    const { id } = asked;
    if (asked.check !== undefined && id !== latest.check) continue;
    const start = performance.now();
    const post = (said) => postMessage({ id, post: JSON.parse(said) });
    const outdated = async () => { await turn(); return id !== latest.check; };
    let done;
    try {
      const check = (...of) => (WAITS ? inside.check.callPromising(...of) : inside.check(...of));
      done = JSON.parse(asked.run !== undefined ? inside.run(asked.run)
        : await check(asked.check, asked.name, post, outdated));
    } catch (error) {
      done = { problem: String(error.message ?? error).trim().split("\n").at(-1) };
    }
    postMessage({ id, done, seconds: (performance.now() - start) / 1000 });
  }
  busy = false;
}

try {
  const sizes = await (await fetch("sizes.json")).json();
  const parts = NAMES.map((name) => fetched(name, sizes));
  const source = fetch("inside.py").then((answer) => answer.text());
  const { loadPyodide } = await import("./pyodide.mjs");
  const python = await loadPyodide({
    indexURL: new URL(".", location.href).href,
    lockFileContents: fetch("lock.json").then((answer) => answer.text()),
  });
  const bytes = await Promise.all(parts);
  const archives = Object.fromEntries(NAMES.map((name, number) => [name, bytes[number]]));
  const told = (what) => postMessage({ loading: what, part: what === "dpsym" ? 0.75 : 0.65, since: since() });
  const ready = boot(python, archives, rest, await source, told);
  postMessage({ loading: "dpsym", part: 0.8, since: since() });
  ready.warm();
  inside = ready;
  postMessage({ ready: since() });
  work();
} catch (error) {
  postMessage({ failed: String(error.message ?? error).trim().split("\n").at(-1) });
}
