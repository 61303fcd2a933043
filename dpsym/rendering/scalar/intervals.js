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

function iv_neg(x) { return { lo: -x.hi, hi: -x.lo }; }
// whether an operation was exact: the error of a sum is a double, the product of numbers of 24 bits has 48
function iv_exact_sum(x, y, s) {
  const t = s - x;
  return Number.isFinite(s) && (x - (s - t)) + (y - t) === 0;
}
function iv_exact_product(x, y, p) {
  if (x === 0 || y === 0) return true;
  return Math.fround(x) === x && Math.fround(y) === y && Math.abs(p) > 1e-290 && Math.abs(p) < 1e290;
}
function iv_exact_quotient(x, y, q) { return iv_exact_product(q, y, q * y) && q * y === x; }
function iv_rounded(lo, exactLo, hi, exactHi) {
  return iv_of(exactLo ? lo : iv_below(lo, 1), exactHi ? hi : iv_above(hi, 1));
}
function iv_add(x, y) {
  if (iv_is_nothing(x) || iv_is_nothing(y)) return iv_nothing();
  const lo = x.lo + y.lo, hi = x.hi + y.hi;
  return iv_rounded(lo, iv_exact_sum(x.lo, y.lo, lo), hi, iv_exact_sum(x.hi, y.hi, hi));
}
function iv_product(x, y) {
  const p = x === 0 || y === 0 ? 0 : x * y;
  const exact = iv_exact_product(x, y, p), same = (x > 0) === (y > 0), z = iv_rounded(p, exact, p, exact);
  return iv_of(same && z.lo < 0 ? 0 : z.lo, !same && z.hi > 0 ? 0 : z.hi);
}
function iv_mul(x, y) {
  if (iv_is_nothing(x) || iv_is_nothing(y)) return iv_nothing();
  const one = iv_hull(iv_product(x.lo, y.lo), iv_product(x.lo, y.hi));
  return iv_hull(one, iv_hull(iv_product(x.hi, y.lo), iv_product(x.hi, y.hi)));
}
function iv_inv(x) {
  if (iv_is_nothing(x) || (x.lo === 0 && x.hi === 0)) return iv_nothing();
  if (x.lo < 0 && x.hi > 0) return iv_of(-Infinity, Infinity);
  if (x.lo === 0) return iv_of(iv_below(1 / x.hi, 1), Infinity);
  if (x.hi === 0) return iv_of(-Infinity, iv_above(1 / x.lo, 1));
  return iv_of(iv_below(1 / x.hi, 1), iv_above(1 / x.lo, 1));
}
function iv_div(x, y) {
  if (x.lo === x.hi && y.lo === y.hi && y.lo !== 0) { // numbers: one rounding
    const q = x.lo / y.lo, exact = iv_exact_quotient(x.lo, y.lo, q);
    return iv_rounded(q, exact, q, exact);
  }
  return iv_mul(x, iv_inv(y));
}
function iv_max(x, y) {
  if (iv_is_nothing(x) || iv_is_nothing(y)) return iv_nothing();
  return iv_of(Math.max(x.lo, y.lo), Math.max(x.hi, y.hi));
}
function iv_min(x, y) { return iv_neg(iv_max(iv_neg(x), iv_neg(y))); }
function iv_abs(x) {
  if (x.lo >= 0 || iv_is_nothing(x)) return x;
  return x.hi <= 0 ? iv_neg(x) : iv_of(0, Math.max(-x.lo, x.hi));
}
function iv_hull(x, y) {
  if (iv_is_nothing(x)) return y;
  if (iv_is_nothing(y)) return x;
  return iv_of(Math.min(x.lo, y.lo), Math.max(x.hi, y.hi));
}
function iv_floor(x) { return iv_is_nothing(x) ? x : iv_of(Math.floor(x.lo), Math.floor(x.hi)); }
function iv_ceil(x) { return iv_is_nothing(x) ? x : iv_of(Math.ceil(x.lo), Math.ceil(x.hi)); }
function iv_sqrt(x) {
  if (!(x.hi >= 0)) return iv_nothing();
  const lo = x.lo > 0 ? iv_below(Math.sqrt(x.lo), 1) : 0;
  return iv_of(lo < 0 ? 0 : lo, iv_above(Math.sqrt(x.hi), 1));
}
function iv_exp(x) {
  if (iv_is_nothing(x)) return x;
  const lo = x.lo === 0 ? 1 : iv_below(Math.exp(x.lo), 4);
  return iv_of(lo < 0 ? 0 : lo, x.hi === 0 ? 1 : iv_above(Math.exp(x.hi), 4));
}
function iv_log(x) {
  if (!(x.hi > 0)) return iv_nothing();
  const lo = x.lo > 0 ? (x.lo === 1 ? 0 : iv_below(Math.log(x.lo), 4)) : -Infinity;
  return iv_of(lo, x.hi === 1 ? 0 : iv_above(Math.log(x.hi), 4));
}
function iv_tanh(x) {
  if (iv_is_nothing(x)) return x;
  return iv_of(Math.max(-1, iv_below(Math.tanh(x.lo), 4)), Math.min(1, iv_above(Math.tanh(x.hi), 4)));
}
function iv_powi(x, n) {
  if (n < 0) return iv_inv(iv_powi(x, -n));
  let y = iv_num(1), base = n % 2 === 0 ? iv_abs(x) : x;
  for (; n > 0; n = Math.floor(n / 2), base = iv_mul(base, base)) if (n % 2) y = iv_mul(y, base);
  return y;
}
function iv_pow(x, y) {
  if (x.lo === 0 && x.hi === 0 && y.lo > 0) return iv_num(0);
  return iv_exp(iv_mul(y, iv_log(x)));
}
function iv_phi(x) {
  const halfSquare = iv_mul(iv_num(-0.5), iv_powi(x, 2));
  return iv_div(iv_exp(halfSquare), iv_sqrt(iv_mul(iv_num(2), iv_pi())));
}

// the upper tail of the normal distribution at one x >= 0: a series of positive terms, or two convergents of Mills' ratio
function iv_tail(at) {
  if (at === Infinity) return iv_num(0);
  const x = iv_num(at), square = iv_mul(x, x);
  let sum = x, term = x;
  if (at < 1.5) {
    for (let n = 1; n < 400 && term.hi > 2 ** -60 * sum.lo; n++) {
      term = iv_mul(term, iv_div(square, iv_num(2 * n + 1)));
      sum = iv_add(sum, term);
    }
    const rest = iv_mul(iv_of(0, 2), term); // the terms that follow fall at least by halves
    const tail = iv_add(iv_num(0.5), iv_neg(iv_mul(iv_phi(x), iv_add(sum, rest))));
    return iv_of(Math.max(0, tail.lo), tail.hi);
  }
  let even = x, odd = x; // x + 1/(x + 2/(x + ...)), cut at an even and at an odd place
  for (let n = 120; n > 0; n--) even = iv_add(x, iv_div(iv_num(n), even));
  for (let n = 121; n > 0; n--) odd = iv_add(x, iv_div(iv_num(n), odd));
  return iv_mul(iv_phi(x), iv_hull(iv_inv(even), iv_inv(odd)));
}
function iv_cdf(x) { return x < 0 ? iv_tail(-x) : iv_add(iv_num(1), iv_neg(iv_tail(x))); }
function iv_Phi(x) {
  return iv_is_nothing(x) ? x : iv_of(Math.max(0, iv_cdf(x.lo).lo), Math.min(1, iv_cdf(x.hi).hi));
}
function iv_quantile(p, up) { // a point at which Phi is certainly not above (not below) p
  if (!(p > 0)) return -Infinity;
  if (!(p < 1)) return Infinity;
  let lo = -40, hi = 40;
  for (let n = 0; n < 80; n++) {
    const middle = (lo + hi) / 2, value = iv_cdf(middle);
    if (up ? value.lo >= p : value.hi > p) hi = middle; else lo = middle;
  }
  return up ? (iv_cdf(hi).lo >= p ? hi : Infinity) : (iv_cdf(lo).hi <= p ? lo : -Infinity);
}
function iv_Phi_inv(x) { return iv_is_nothing(x) ? x : iv_of(iv_quantile(x.lo, false), iv_quantile(x.hi, true)); }

// relations: 1 certainly, 0 certainly not, -1 it cannot be told
function iv_less(x, y) { return x.hi < y.lo ? 1 : x.lo >= y.hi ? 0 : -1; }
function iv_at_most(x, y) { return x.hi <= y.lo ? 1 : x.lo > y.hi ? 0 : -1; }
function iv_equal(x, y) {
  if (x.lo === x.hi && y.lo === y.hi && x.lo === y.lo) return 1;
  return x.hi < y.lo || y.hi < x.lo ? 0 : -1;
}
function iv_not(x) { return x < 0 ? -1 : 1 - x; }
function iv_and(x, y) { return x === 0 || y === 0 ? 0 : x < 0 || y < 0 ? -1 : 1; }
function iv_or(x, y) { return iv_not(iv_and(iv_not(x), iv_not(y))); }
function iv_if(condition, x, y) { return condition === 1 ? x : condition === 0 ? y : iv_hull(x, y); }
function iv_sign(x) { return x.lo > 0 ? 1 : x.hi < 0 ? -1 : 0; }

// the one sign change of f between two ends: both sides of the answer have certain and different signs
function iv_root(f, lower, upper) {
  const start = lower.hi, end = upper.lo;
  let left = NaN, right = NaN, before = 0;
  for (let n = -60; n <= 240; n++) {
    const x = end === Infinity ? start + 2 ** n
      : n < 0 ? start + (end - start) * 2 ** n
      : n < 60 ? end - (end - start) * 2 ** (-n - 2) : end;
    const sign = iv_sign(f(iv_num(x)));
    if (sign === 0) continue;
    if (before === 0 || sign === before) { before = sign; left = x; } else { right = x; break; }
  }
  if (Number.isNaN(left) || Number.isNaN(right)) return iv_nothing();
  for (let n = 0; n < 200; n++) {
    const middle = left + (right - left) / 2;
    if (!(left < middle && middle < right)) break;
    const sign = iv_sign(f(iv_num(middle)));
    if (sign === 0) {
      const quarter = left + (middle - left) / 2, third = middle + (right - middle) / 2;
      let moved = false;
      if (iv_sign(f(iv_num(quarter))) === before && quarter > left) { left = quarter; moved = true; }
      if (iv_sign(f(iv_num(third))) === -before && third < right) { right = third; moved = true; }
      if (!moved) break;
    } else if (sign === before) left = middle;
    else right = middle;
  }
  return iv_of(left, right);
}

// the first point from the lower end on at which f is not positive: it certainly is not at the upper side of the answer
function iv_smallest(f, lower, upper) {
  const start = lower.hi, end = upper.lo;
  if (f(lower).hi <= 0) return lower;
  let left = lower.lo, right = NaN;
  for (let n = -60; n <= 240; n++) {
    const x = end === Infinity ? start + 2 ** n
      : n < 0 ? start + (end - start) * 2 ** n
      : n < 60 ? end - (end - start) * 2 ** (-n - 2) : NaN;
    const found = f(iv_num(x));
    if (found.lo > 0) left = x;
    else if (found.hi <= 0) { right = x; break; }
  }
  if (Number.isNaN(right)) return iv_nothing();
  for (let n = 0; n < 200; n++) {
    const middle = left + (right - left) / 2;
    if (!(left < middle && middle < right)) break;
    const found = f(iv_num(middle));
    if (found.lo > 0) left = middle;
    else if (found.hi <= 0) right = middle;
    else {
      const quarter = left + (middle - left) / 2, third = middle + (right - middle) / 2;
      let moved = false;
      if (quarter > left && f(iv_num(quarter)).lo > 0) { left = quarter; moved = true; }
      if (third < right && f(iv_num(third)).hi <= 0) { right = third; moved = true; }
      if (!moved) break;
    }
  }
  return iv_of(left, right);
}

// a bound on the least value from above: the value at a point that is nearly the best; none from below
function iv_minimum(f, lower, upper) {
  const a = lower.hi, b = upper.lo, ratio = 0.6180339887498949;
  const value = (t) => {
    const found = f(iv_num(b === Infinity ? a + Math.exp(t) : a + (b - a) / (1 + Math.exp(-t)))).hi;
    return Number.isNaN(found) ? Infinity : found;
  };
  let best = Infinity, at = 0;
  for (let n = -40; n <= 40; n++) {
    const found = value(n);
    if (found < best) { best = found; at = n; }
  }
  let left = at - 1, right = at + 1;
  for (let n = 0; n < 60; n++) {
    const x = right - ratio * (right - left), y = left + ratio * (right - left);
    const u = value(x), v = value(y);
    best = Math.min(best, u, v);
    if (u < v) right = y; else left = x;
  }
  return iv_of(-Infinity, best);
}
