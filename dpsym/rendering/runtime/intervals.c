static inline iv iv_neg(iv x) { return iv_pair(-x.hi, -x.lo); }
/* whether an operation was exact: the error of a sum is a double, the product of numbers of 24 bits has 48 */
static inline int iv_exact_sum(double x, double y, double s) {
    double t = s - x;
    return isfinite(s) && (x - (s - t)) + (y - t) == 0;
}
static inline int iv_exact_product(double x, double y, double p) {
    if (x == 0 || y == 0) return 1;
    return iv_single(x) == x && iv_single(y) == y && fabs(p) > 1e-290 && fabs(p) < 1e290;
}
static inline int iv_exact_quotient(double x, double y, double q) { return iv_exact_product(q, y, q * y) && q * y == x; }
static inline iv iv_rounded(double lo, int exact_lo, double hi, int exact_hi) {
    return iv_of(exact_lo ? lo : iv_below(lo, 1), exact_hi ? hi : iv_above(hi, 1));
}
static inline iv iv_add(iv x, iv y) {
    if (iv_is_nothing(x) || iv_is_nothing(y)) return iv_nothing();
    double lo = x.lo + y.lo, hi = x.hi + y.hi;
    return iv_rounded(lo, iv_exact_sum(x.lo, y.lo, lo), hi, iv_exact_sum(x.hi, y.hi, hi));
}
static inline iv iv_product(double x, double y) {
    double p = x == 0 || y == 0 ? 0 : x * y;
    int exact = iv_exact_product(x, y, p), same = (x > 0) == (y > 0);
    iv z = iv_rounded(p, exact, p, exact);
    return iv_of(same && z.lo < 0 ? 0 : z.lo, !same && z.hi > 0 ? 0 : z.hi);
}
static inline iv iv_hull(iv x, iv y) {
    if (iv_is_nothing(x)) return y;
    if (iv_is_nothing(y)) return x;
    return iv_of(fmin(x.lo, y.lo), fmax(x.hi, y.hi));
}
static inline iv iv_mul(iv x, iv y) {
    if (iv_is_nothing(x) || iv_is_nothing(y)) return iv_nothing();
    iv one = iv_hull(iv_product(x.lo, y.lo), iv_product(x.lo, y.hi));
    return iv_hull(one, iv_hull(iv_product(x.hi, y.lo), iv_product(x.hi, y.hi)));
}
static inline iv iv_inv(iv x) {
    if (iv_is_nothing(x) || (x.lo == 0 && x.hi == 0)) return iv_nothing();
    if (x.lo < 0 && x.hi > 0) return iv_of(-INFINITY, INFINITY);
    if (x.lo == 0) return iv_of(iv_below(1 / x.hi, 1), INFINITY);
    if (x.hi == 0) return iv_of(-INFINITY, iv_above(1 / x.lo, 1));
    return iv_of(iv_below(1 / x.hi, 1), iv_above(1 / x.lo, 1));
}
static inline iv iv_div(iv x, iv y) {
    if (x.lo == x.hi && y.lo == y.hi && y.lo != 0 && !iv_is_nothing(y)) /* numbers: one rounding */
    {
        double q = x.lo / y.lo;
        int exact = iv_exact_quotient(x.lo, y.lo, q);
        return iv_rounded(q, exact, q, exact);
    }
    return iv_mul(x, iv_inv(y));
}
static inline iv iv_max(iv x, iv y) {
    if (iv_is_nothing(x) || iv_is_nothing(y)) return iv_nothing();
    return iv_of(fmax(x.lo, y.lo), fmax(x.hi, y.hi));
}
static inline iv iv_min(iv x, iv y) { return iv_neg(iv_max(iv_neg(x), iv_neg(y))); }
static inline iv iv_abs(iv x) {
    if (x.lo >= 0 || iv_is_nothing(x)) return x;
    return x.hi <= 0 ? iv_neg(x) : iv_of(0, fmax(-x.lo, x.hi));
}
static inline iv iv_floor(iv x) { return iv_is_nothing(x) ? x : iv_of(floor(x.lo), floor(x.hi)); }
static inline iv iv_ceil(iv x) { return iv_is_nothing(x) ? x : iv_of(ceil(x.lo), ceil(x.hi)); }
static inline iv iv_sqrt(iv x) {
    if (!(x.hi >= 0)) return iv_nothing();
    double lo = x.lo > 0 ? iv_below(sqrt(x.lo), 1) : 0;
    return iv_of(lo < 0 ? 0 : lo, iv_above(sqrt(x.hi), 1));
}
static inline iv iv_exp(iv x) {
    if (iv_is_nothing(x)) return x;
    double lo = x.lo == 0 ? 1 : iv_below(exp(x.lo), 4);
    return iv_of(lo < 0 ? 0 : lo, x.hi == 0 ? 1 : iv_above(exp(x.hi), 4));
}
static inline iv iv_log(iv x) {
    if (!(x.hi > 0)) return iv_nothing();
    double lo = x.lo > 0 ? (x.lo == 1 ? 0 : iv_below(log(x.lo), 4)) : -INFINITY;
    return iv_of(lo, x.hi == 1 ? 0 : iv_above(log(x.hi), 4));
}
static inline iv iv_tanh(iv x) {
    if (iv_is_nothing(x)) return x;
    return iv_of(fmax(-1, iv_below(tanh(x.lo), 4)), fmin(1, iv_above(tanh(x.hi), 4)));
}
static inline iv iv_powi(iv x, int n) {
    if (n < 0) return iv_inv(iv_powi(x, -n));
    iv y = iv_num(1), base = n % 2 == 0 ? iv_abs(x) : x;
    for (; n > 0; n = (n - n % 2) / 2, base = iv_mul(base, base)) if (n % 2) y = iv_mul(y, base);
    return y;
}
static inline iv iv_pow(iv x, iv y) {
    if (x.lo == 0 && x.hi == 0 && y.lo > 0) return iv_num(0);
    return iv_exp(iv_mul(y, iv_log(x)));
}
static inline iv iv_phi(iv x) {
    iv half_square = iv_mul(iv_num(-0.5), iv_powi(x, 2));
    return iv_div(iv_exp(half_square), iv_sqrt(iv_mul(iv_num(2), iv_pi())));
}

/* the upper tail of the normal distribution at one x >= 0: a series of positive terms, or two convergents of Mills' ratio */
static inline iv iv_tail(double at) {
    iv x = iv_num(at), square = iv_mul(x, x), sum = x, term = x;
    if (at == INFINITY) return iv_num(0);
    if (at < 1.5) {
        int n = 1;
        for (; n < 400 && term.hi > 8.673617379884035e-19 * sum.lo; n++) {
            term = iv_mul(term, iv_div(square, iv_num(2 * n + 1)));
            sum = iv_add(sum, term);
        }
        iv rest = iv_mul(iv_of(0, 2), term); /* the terms that follow fall at least by halves */
        iv tail = iv_add(iv_num(0.5), iv_neg(iv_mul(iv_phi(x), iv_add(sum, rest))));
        return iv_of(fmax(0, tail.lo), tail.hi);
    }
    iv even = x, odd = x; /* x + 1/(x + 2/(x + ...)), cut at an even and at an odd place */
    for (int n = 120; n > 0; n--) even = iv_add(x, iv_div(iv_num(n), even));
    for (int n = 121; n > 0; n--) odd = iv_add(x, iv_div(iv_num(n), odd));
    iv ratio = iv_hull(iv_inv(even), iv_inv(odd));
    return iv_mul(iv_phi(x), ratio);
}
static inline iv iv_cdf(double x) {
    return x < 0 ? iv_tail(-x) : iv_add(iv_num(1), iv_neg(iv_tail(x)));
}
static inline iv iv_Phi(iv x) {
    if (iv_is_nothing(x)) return x;
    return iv_of(fmax(0, iv_cdf(x.lo).lo), fmin(1, iv_cdf(x.hi).hi));
}
static inline double iv_quantile(double p, int up) { /* a point at which Phi is certainly not above (not below) p */
    double lo = -40, hi = 40;
    if (!(p > 0)) return -INFINITY;
    if (!(p < 1)) return INFINITY;
    for (int n = 0; n < 80; n++) {
        double middle = (lo + hi) / 2;
        iv value = iv_cdf(middle);
        if (up ? value.lo >= p : value.hi > p) hi = middle; else lo = middle;
    }
    return up ? (iv_cdf(hi).lo >= p ? hi : INFINITY) : (iv_cdf(lo).hi <= p ? lo : -INFINITY);
}
static inline iv iv_Phi_inv(iv x) { return iv_is_nothing(x) ? x : iv_of(iv_quantile(x.lo, 0), iv_quantile(x.hi, 1)); }

/* relations: 1 certainly, 0 certainly not, -1 it cannot be told */
static inline int iv_less(iv x, iv y) { return x.hi < y.lo ? 1 : x.lo >= y.hi ? 0 : -1; }
static inline int iv_at_most(iv x, iv y) { return x.hi <= y.lo ? 1 : x.lo > y.hi ? 0 : -1; }
static inline int iv_equal(iv x, iv y) {
    if (x.lo == x.hi && y.lo == y.hi && x.lo == y.lo) return 1;
    return x.hi < y.lo || y.hi < x.lo ? 0 : -1;
}
static inline int iv_not(int x) { return x < 0 ? -1 : 1 - x; }
static inline int iv_and(int x, int y) { return x == 0 || y == 0 ? 0 : x < 0 || y < 0 ? -1 : 1; }
static inline int iv_or(int x, int y) { return iv_not(iv_and(iv_not(x), iv_not(y))); }
static inline iv iv_if(int condition, iv x, iv y) { return condition == 1 ? x : condition == 0 ? y : iv_hull(x, y); }

static inline int iv_sign(iv x) { return x.lo > 0 ? 1 : x.hi < 0 ? -1 : 0; }

/* the one sign change of f between two ends: both sides of the answer have certain and different signs */
static inline iv iv_root(iv_function f, const iv *s, iv lower, iv upper) {
    double start = lower.hi, end = upper.lo, left = NAN, right = NAN;
    int before = 0;
    for (int n = -60; n <= 240; n++) {
        double x = end == INFINITY ? start + iv_power_of_two(n)
                 : n < 0           ? start + (end - start) * iv_power_of_two(n)
                 : n < 60          ? end - (end - start) * iv_power_of_two(-n - 2) : end;
        int sign = iv_sign(f(iv_num(x), s));
        if (sign == 0) continue;
        if (before == 0 || sign == before) { before = sign; left = x; }
        else { right = x; break; }
    }
    if (isnan(left) || isnan(right)) return iv_nothing();
    for (int n = 0; n < 200; n++) {
        double middle = left + (right - left) / 2;
        if (!(left < middle && middle < right)) break;
        int sign = iv_sign(f(iv_num(middle), s));
        if (sign == 0) {
            double quarter = left + (middle - left) / 2, third = middle + (right - middle) / 2;
            int moved = 0;
            if (iv_sign(f(iv_num(quarter), s)) == before && quarter > left) { left = quarter; moved = 1; }
            if (iv_sign(f(iv_num(third), s)) == -before && third < right) { right = third; moved = 1; }
            if (!moved) break;
        } else if (sign == before) left = middle;
        else right = middle;
    }
    return iv_of(left, right);
}

/* the first point from the lower end on at which f is not positive: it certainly is not at the upper side */
static inline iv iv_smallest(iv_function f, const iv *s, iv lower, iv upper) {
    double start = lower.hi, end = upper.lo, left = lower.lo, right = NAN;
    if (f(lower, s).hi <= 0) return lower;
    for (int n = -60; n <= 240; n++) {
        double x = end == INFINITY ? start + iv_power_of_two(n)
                 : n < 0           ? start + (end - start) * iv_power_of_two(n)
                 : n < 60          ? end - (end - start) * iv_power_of_two(-n - 2) : NAN;
        iv found = f(iv_num(x), s);
        if (found.lo > 0) left = x;
        else if (found.hi <= 0) { right = x; break; }
    }
    if (isnan(right)) return iv_nothing();
    for (int n = 0; n < 200; n++) {
        double middle = left + (right - left) / 2;
        if (!(left < middle && middle < right)) break;
        iv found = f(iv_num(middle), s);
        if (found.lo > 0) left = middle;
        else if (found.hi <= 0) right = middle;
        else {
            double quarter = left + (middle - left) / 2, third = middle + (right - middle) / 2;
            int moved = 0;
            if (quarter > left && f(iv_num(quarter), s).lo > 0) { left = quarter; moved = 1; }
            if (third < right && f(iv_num(third), s).hi <= 0) { right = third; moved = 1; }
            if (!moved) break;
        }
    }
    return iv_of(left, right);
}

/* a bound on the least value from above: the value at a point that is nearly the best; none from below */
static inline double iv_value(iv_function f, const iv *s, double a, double b, double t) {
    iv found = f(iv_num(b == INFINITY ? a + exp(t) : a + (b - a) / (1 + exp(-t))), s);
    return isnan(found.hi) ? INFINITY : found.hi;
}
static inline iv iv_minimum(iv_function f, const iv *s, iv lower, iv upper) {
    double a = lower.hi, b = upper.lo, best = INFINITY, at = 0;
    for (int n = -40; n <= 40; n++) {
        double found = iv_value(f, s, a, b, n);
        if (found < best) { best = found; at = n; }
    }
    double left = at - 1, right = at + 1, ratio = 0.6180339887498949;
    for (int n = 0; n < 60; n++) {
        double x = right - ratio * (right - left), y = left + ratio * (right - left);
        double u = iv_value(f, s, a, b, x), v = iv_value(f, s, a, b, y);
        best = fmin(best, fmin(u, v));
        if (u < v) right = y; else left = x;
    }
    return iv_of(-INFINITY, best);
}
