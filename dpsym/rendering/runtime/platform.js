// Intervals of doubles, every operation rounded outward. IEEE arithmetic is correctly rounded, so its neighbours enclose
// it; of Math.exp, Math.log and Math.tanh it is assumed that they are within 4 units in the last place.

const ivDouble = new Float64Array(1);
const ivBits = new BigInt64Array(ivDouble.buffer);
function ivNext(x) {
  if (Number.isNaN(x) || x === Infinity) return x;
  if (x === 0) return 5e-324;
  ivDouble[0] = x;
  ivBits[0] += x > 0 ? 1n : -1n;
  return ivDouble[0];
}
function iv_above(x, steps) { while (steps-- > 0) x = ivNext(x); return x; }
function iv_below(x, steps) { return -iv_above(-x, steps); }
function iv_of(lo, hi) { return { lo: Number.isNaN(lo) ? -Infinity : lo, hi: Number.isNaN(hi) ? Infinity : hi }; }
function iv_num(x) { return { lo: x, hi: x }; }
function iv_nothing() { return { lo: NaN, hi: NaN }; }
function iv_is_nothing(x) { return Number.isNaN(x.lo) || Number.isNaN(x.hi); }
function iv_pi() { return iv_of(3.141592653589793, 3.1415926535897936); }
function iv_pair(lo, hi) { return { lo, hi }; }
function iv_single(x) { return Math.fround(x); }
function iv_power_of_two(n) { return 2 ** n; }
