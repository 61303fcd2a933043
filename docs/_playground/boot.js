// Unpacks dpsym and what it needs into a Pyodide that was just loaded; gives the module inside.py.
// `archives` has the bytes of native, package and modules; `rest()` gives those of the modules that few questions need.
export function boot(python, archives, rest, source, told = () => {}) {
  const home = python.runPython("import site; site.getsitepackages()[0]");
  told("FLINT");
  python.unpackArchive(archives.native, "zip", { extractDir: home });
  told("dpsym");
  python.unpackArchive(archives.package, "zip", { extractDir: home });
  python.FS.writeFile("/lib/modules.zip", archives.modules, { canOwn: true });
  python.FS.writeFile(`${home}/inside.py`, source);
  const inside = python.pyimport("inside");
  inside.mount(rest);
  return inside;
}
