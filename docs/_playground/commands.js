// What the form asks, as a command line; the answers themselves are the command's.

const AT = { words: "at", usual: "delta=1e-5", hint: "delta=1e-5" };
const PLOT = { words: "plot against", usual: "", hint: "T=100:10000" };
export const FIELDS = {
  account: {
    mechanism: { words: "mechanism", usual: "subsampled(gaussian(sigma=1), q=1/100) ** T" },
    at: { words: "at", usual: "delta=1e-5, T=1000", hint: "delta=1e-5" },
    plot: { ...PLOT, usual: "T=100:10000" },
  },
  derive: {
    mechanism: { words: "mechanism or guarantee", usual: "gaussian(sigma=200) ** 500" },
    to: { words: "to", usual: "approx", hint: "approx, zcdp, rdp …" },
    at: AT,
    plot: PLOT,
  },
  calibrate: {
    mechanism: { words: "mechanism", usual: "subsampled(gaussian(sigma), q=1/100) ** 1000" },
    for: { words: "find", usual: "sigma", hint: "sigma" },
    at: { words: "at", usual: "epsilon=2, delta=1e-5" },
    plot: { ...PLOT, hint: "epsilon=1:8" },
  },
  prove: {
    claim: { words: "claim", usual: "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(3*sigma^2))" },
    let: { words: "let", usual: "", hint: "a: real, 0 < q < 1" },
  },
};
const POINTS = 11; // of a plot

const quoted = (text) => `"${text.replace(/(["\\$`])/g, "\\$1")}"`;
const parts = (text) => (text ?? "").split(",").map((part) => part.trim()).filter(Boolean);
const each = (option, text) => parts(text).map((part) => ` --${option} ${/^[\w.=-]+$/.test(part) ? part : quoted(part)}`).join("");

export function commandOf(kind, given) {
  if (kind === "prove") return `dpsym prove ${quoted(given.claim)}${each("let", given.let)}`;
  const source = quoted(given.mechanism);
  if (kind === "derive") {
    const to = given.to ? ` --to ${/^\w+$/.test(given.to) ? given.to : quoted(given.to)}` : "";
    return `dpsym derive ${source}${to}${each("at", given.at)}`;
  }
  return `dpsym account ${source}${each("at", given.at)}${kind === "calibrate" ? each("for", given.for) : ""}`;
}

// the points of a plot, the command that answers at each, and how its answer is read; null where none is wanted
export function plotted(kind, given) {
  if (!given.plot) return null;
  const range = /^\s*(\w+)\s*=\s*([\d.e+-]+)\s*:\s*([\d.e+-]+)\s*$/i.exec(given.plot);
  const [first, last] = range ? [Number(range[2]), Number(range[3])] : [NaN, NaN];
  if (!(first > 0 && last > first)) {
    return { problem: `plot against ${given.plot}: expected NAME=FIRST:LAST with 0 < FIRST < LAST, e.g. T=100:10000` };
  }
  const along = range[1];
  const whole = Number.isInteger(first) && Number.isInteger(last) && last - first >= POINTS;
  const values = Array.from({ length: POINTS }, (_, i) => {
    const value = first * (last / first) ** (i / (POINTS - 1));
    return whole ? Math.round(value) : Number(value.toPrecision(3));
  });
  const rest = parts(given.at).filter((part) => part.split("=")[0].trim() !== along);
  const wanted = kind === "calibrate" ? given.for
    : rest.some((part) => part.startsWith("epsilon")) || along === "epsilon" ? "delta" : "epsilon";
  const asked = kind === "calibrate" ? kind : "account";
  return {
    along, wanted, values,
    command: (value) => `${commandOf(asked, { ...given, at: [...rest, `${along}=${value}`].join(",") })} --json --digits 4`,
    read: (answer) => safeEnd(answer[wanted], answer.safe ?? "upper"),
  };
}

// the end of the enclosure that is guaranteed to be enough, as it is written; null where there is none
function safeEnd(found, end) {
  const said = found?.[end];
  return Number.isFinite(Number(said)) && Number(said) > 0 ? said : null;
}
