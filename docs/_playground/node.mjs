// node node.mjs PYODIDE ARCHIVES: dpsym in WebAssembly without a browser.  Reads a JSON value per line, answers with one:
// a string is a command line; {"check": text, "name": file} a derivation; {"loaded": true} asks which modules were needed.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [pyodide, archives] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
// as they are in the site, or before they were compressed
const bytes = (name) => {
  const [made, plain] = [".bin", ".zip"].map((ending) => path.join(archives, `${name}${ending}`));
  if (!fs.existsSync(made)) return fs.readFileSync(plain);
  return zlib.gunzipSync(fs.readFileSync(made));
};
const began = performance.now();
const python = await loadPyodide({ indexURL: pyodide });
const here = fs.readFileSync(new URL("inside.py", import.meta.url), "utf8");
const { boot } = await import(new URL("boot.js", import.meta.url));
const unpacked = Object.fromEntries(["native", "package", "modules"].map((name) => [name, new Uint8Array(bytes(name))]));
const rest = () => new Uint8Array(fs.readFileSync(path.join(archives, "rest.bin")));
const inside = boot(python, unpacked, rest, here);
console.log(JSON.stringify({ ready: (performance.now() - began) / 1000 }));
for await (const line of readline.createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const start = performance.now();
  const found = typeof asked === "string" ? JSON.parse(inside.run(asked))
    : asked.check === undefined ? JSON.parse(inside.loaded())
    : JSON.parse(await inside.check.callPromising(asked.check, asked.name, () => {}, async () => false));
  console.log(JSON.stringify(Array.isArray(found) ? found : { ...found, seconds: (performance.now() - start) / 1000 }));
}
