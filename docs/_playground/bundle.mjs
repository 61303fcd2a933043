// node bundle.mjs PYODIDE IN OUT: runs bundle.py in Pyodide, so that modules are compiled by the Python that reads them.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, from, to] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
// columns in tracebacks, which nobody reads here, are a fifth of a compiled module
const python = await loadPyodide({ indexURL: pyodide, env: { PYTHONNODEBUGRANGES: "1" } });
python.mountNodeFS("/in", from);
python.mountNodeFS("/out", to);
python.runPython("import warnings; warnings.simplefilter('ignore')"); // of other people's sources
python.runPython(fs.readFileSync(new URL("bundle.py", import.meta.url), "utf8"));
