// A curve through certified points, both axes logarithmic; drawn is the end of each enclosure that is guaranteed.
const SPACE = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [520, 320, 60, 26, 14, 46];
const NAMES = { epsilon: "ε", delta: "δ", sigma: "σ", alpha: "α", rho: "ρ", lambda: "λ" };

function made(tag, properties, ...children) {
  const node = document.createElementNS(SPACE, tag);
  for (const key in properties) node.setAttribute(key, properties[key]);
  node.append(...children);
  return node;
}

const short = (value) => (value >= 1e5 || value < 1e-3 ? value.toExponential(1).replace(".0e", "e").replace("e+", "e")
  : String(Number(value.toPrecision(3))));

// numbers between the ends that are good to read: 1, 2, 5 times powers of ten
function ticks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
    for (const digit of [1, 2, 5]) found.push(digit * 10 ** power);
  }
  const inside = found.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  const few = inside.length > 7 ? inside.filter((tick) => /^1/.test(tick.toExponential())) : inside;
  return few.length > 1 ? few : [low, high];
}

export function draw(points, { along, wanted, values }) {
  const known = points.filter((point) => point.y !== null);
  const svg = made("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const names = [along, wanted].map((name) => NAMES[name] ?? name);
  svg.append(made("title", {}, `${names[1]} against ${names[0]}`));
  if (!known.length) return svg;
  const ys = known.map((point) => Number(point.y));
  let [low, high] = [Math.min(...ys), Math.max(...ys)];
  if (high / low < 1.2) { low /= 1.1; high *= 1.1; }
  const [first, last] = [values[0], values.at(-1)];
  const x = (value) => LEFT + (WIDTH - LEFT - RIGHT) * Math.log(value / first) / Math.log(last / first);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.log(value / low) / Math.log(high / low));
  for (const tick of ticks(first, last)) {
    svg.append(made("line", { class: "pg-grid", x1: x(tick), x2: x(tick), y1: TOP, y2: HEIGHT - BOTTOM }),
      made("text", { x: x(tick), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, short(tick)));
  }
  for (const tick of ticks(low, high)) {
    svg.append(made("line", { class: "pg-grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }),
      made("text", { x: LEFT - 8, y: y(tick) + 5, "text-anchor": "end" }, short(tick)));
  }
  svg.append(made("polyline", { class: "pg-curve", points: known.map((p) => `${x(p.x)},${y(p.y)}`).join(" ") }));
  for (const point of known) {
    const said = `${names[0]} = ${point.x}: ${names[1]} = ${point.y}`;
    svg.append(made("circle", { cx: x(point.x), cy: y(point.y), r: 4 }, made("title", {}, said)));
  }
  svg.append(made("text", { class: "pg-axis", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, names[0]),
    made("text", { class: "pg-axis", x: 14, y: (TOP + HEIGHT - BOTTOM) / 2, "text-anchor": "middle" }, names[1]));
  return svg;
}
