"""Statements that are often believed, and false: a form each, with the point at which it fails.

Branches of logarithms and roots, conditions that do not imply what they seem to, bounds of sums off by one, claims of
integers made of reals, what holds of the first integers only, limits from the wrong side, derivatives of a product,
antiderivatives without their constant, optima at the wrong end.  The letters are real unless they are declared
integers; `u | k: integer, k >= 1; u > 0 | k=3; u=1/2 | …` is the text, its conditions, the point, and the same at
that point in elementary terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Pitfall:
    """A false relation: it fails, or has no value, at the point, which satisfies the conditions.

    Attributes:
        elementary: the same at that point, with no operator that binds a variable but finite sums and products; empty
            where the text is so already, None where the relation has no value there.
    """

    text: str
    conditions: tuple[str, ...]
    at: tuple[tuple[str, Fraction], ...]
    elementary: str | None = ""


def _pitfalls(table: str) -> tuple[Pitfall, ...]:
    found = []
    for line in table.strip().splitlines():
        text, conditions, at, *elementary = (part.strip() for part in line.split("|"))
        point = tuple((name.strip(), Fraction(value)) for name, value in (p.split("=") for p in at.split(";") if p))
        said = None if elementary == ["none"] else elementary[0] if elementary else ""
        found.append(Pitfall(text, tuple(c.strip() for c in conditions.split(";") if c.strip()), point, said))
    return tuple(found)


BRANCHES = _pitfalls("""
log(u*v) = log(u) + log(v) | u*v > 0 | u=-1; v=-2
log(u/v) = log(u) - log(v) | v != 0; u/v > 0 | u=-1; v=-2
log(u^2) = 2*log(u) | u != 0 | u=-1
log(u^4) = 4*log(u) | u^2 > 0 | u=-2
log(u^2*v) = 2*log(u) + log(v) | u != 0; v > 0 | u=-1; v=2
log(u^3)/3 = log(u) | u >= 0 | u=0
exp(log(u)) = u | | u=-1
exp(2*log(u)) = u^2 | | u=-1
exp(log(u)/2)^2 = u | u >= 0 | u=0
sqrt(u^2) = u | | u=-1
sqrt(u^2) >= 0 - u^2*u/abs(u) | | u=0
sqrt(u)^2 = u | | u=-1
sqrt(u^2*v) = u*sqrt(v) | v >= 0 | u=-1; v=2
sqrt(u*v) = sqrt(u)*sqrt(v) | u*v >= 0 | u=-1; v=-2
sqrt(u/v) = sqrt(u)/sqrt(v) | v != 0; u/v >= 0 | u=-1; v=-2
sqrt(u^6) = u^3 | | u=-1
sqrt((u - v)^2) = u - v | | u=0; v=1
sqrt(u^2 - 2*u + 1) = u - 1 | | u=0
(u^2)^(3/2) = u^3 | | u=-1
(u^2)^(1/4) = sqrt(u) | | u=-1
(u^4)^(1/4) = u | | u=-2
(u^2)^(v/2) = u^v | u != 0; v > 0 | u=-2; v=3
(u^3)^(1/3) = u | u^2 <= 1 | u=-1
u^(1/3)*u^(2/3) = u | | u=-1
u^v*u^(-v) = 1 | u >= 0 | u=0; v=1
(u*v)^(1/2) = u^(1/2)*v^(1/2) | u*v > 0 | u=-1; v=-1
(u^v)^2 = u^(2*v) | u != 0 | u=-1; v=1/2
abs(u) = u | u >= -1 | u=-1/2
abs(u*v) = u*v | u >= 0 | u=1; v=-1
abs(u + v) = abs(u) + abs(v) | | u=1; v=-1
abs(u - v) >= abs(u) + abs(v) - 2*abs(v)/2 | | u=2; v=1
max(u, v) = u | u >= 0; v >= 0 | u=0; v=1
max(u, v)*max(u, w) = max(u^2, v*w) | | u=-1; v=-2; w=-3
max(u, v)^2 = max(u^2, v^2) | | u=-2; v=1
min(u, v)*max(u, w) = u*v | u >= 0 | u=1; v=2; w=3
max(-u, -v) = -max(u, v) | | u=0; v=1
u*max(v, w) = max(u*v, u*w) | | u=-1; v=1; w=2
asin(sin(u)) = u | | u=3
acos(cos(u)) = u | | u=-1
atan(tan(u)) = u | cos(u) != 0 | u=2
acosh(cosh(u)) = u | | u=-1
sin(asin(u)) = u | | u=2
tanh(atanh(u)) = u | u <= 1 | u=1
atan(u) + atan(1/u) = pi/2 | u != 0 | u=-1
atan(u) + atan(v) = atan((u + v)/(1 - u*v)) | u*v != 1 | u=2; v=3
Phi(Phi_inv(u)) = u | u >= 0; u <= 1 | u=0
Phi_inv(1 - u) = -Phi_inv(u) | u >= 0; u < 1 | u=0
sign(u)^2 = 1 | | u=0
sign(u*v) = sign(u) | v >= 0 | u=1; v=0
abs(u)/u = sign(u) | | u=0
u/abs(u) <= 1 | u >= 0 | u=0
1/(1/u) = u | | u=0
u/v*v = u | | u=1; v=0
(u^2 - v^2)/(u - v) = u + v | u >= v | u=1; v=1
(u - v)/(sqrt(u) - sqrt(v)) = sqrt(u) + sqrt(v) | u >= 0; v >= 0 | u=1; v=1
log(u)/log(u) = 1 | u > 0 | u=1
1/log(u) = 1/log(u) | u > 0 | u=1
1/(u - v) + 1/(v - u) = 0 | | u=1; v=1
(u*v)/(u*v) = 1 | u > 0; v >= 0 | u=1; v=0
(exp(u) - 1)/(exp(u/2) - 1) = exp(u/2) + 1 | | u=0
sin(u)/sin(u) = 1 | u > -1; u < 4 | u=0
tan(u)*cos(u) = sin(u) + 1/10^20 | u >= 0; u < 2 | u=0
u^0 = 1 - 0*log(u) | u >= 0 | u=0
floor(u) + floor(-u) = -1 | | u=2
floor(u + v) = floor(u) + floor(v) | | u=1/2; v=1/2
floor(2*u) = 2*floor(u) | u >= 0 | u=1/2
floor(u*v) >= floor(u)*floor(v) | | u=-1/2; v=-1/2
ceil(u) = floor(u) + 1 | u >= 0 | u=3
ceil(u) < u + 1 - 1/1000000 | u > 0 | u=1/10000000
floor(u) < u | | u=7
floor(u) > u - 999999/1000000 | | u=99999999/100000000
floor(u)/floor(u) = 1 | u >= 0 | u=1/2
floor(sqrt(u))^2 <= u - 1 | u > 4 | u=9
floor(-u) = -floor(u) - 1 | u >= 0 | u=0
gamma(u + 1) = u*gamma(u) | u >= 0 | u=0
gamma(u) >= gamma(v) | u >= v; v > 0 | u=3/2; v=1
factorial(u) >= u | u >= 0 | u=3/2
besseli(0, u) = besseli(0, v) | u >= 0; v >= 0; u^2 <= v^2 | u=1; v=2
""")

IMPLICATIONS = _pitfalls("""
u^2 <= v^2 | u <= v | u=-2; v=1
u <= v | u^2 <= v^2 | u=1; v=-2
u = v | u^2 = v^2 | u=1; v=-1
u^2 < v^2 | u < v; v >= 0 | u=-3; v=1
1/u >= 1/v | u <= v; u != 0; v != 0 | u=-1; v=1
1/u < 1/v | u > v; u*v != 0 | u=1; v=-1
u*w <= v*w | u <= v | u=1; v=2; w=-1
u*w < v*w | u < v; w >= 0 | u=1; v=2; w=0
u/w <= v/w | u <= v; w != 0 | u=1; v=2; w=-1
u <= v | u*w <= v*w; w >= 0 | u=2; v=1; w=0
u <= v | u*w <= v*w | u=2; v=1; w=-1
u = v | u*w = v*w | u=1; v=2; w=0
v >= 0 | u >= 0; u*v >= 0 | u=0; v=-1
u > 0 | u*v >= 0; v > 0 | u=0; v=1
u = 0 | u*v = 0 | u=1; v=0
u + v >= 2 | u*v >= 1 | u=-1; v=-1
u*v >= 1 | u + v >= 2; u >= 0; v >= 0 | u=2; v=0
u <= v | abs(u) <= abs(v) | u=1; v=-2
abs(u) <= abs(v) | u <= v | u=-2; v=1
abs(u) <= v | u <= v | u=-2; v=1
u <= w | min(u, v) <= w | u=2; v=0; w=1
u >= w | max(u, v) >= w | u=0; v=2; w=1
u < w | u <= v; v <= w | u=1; v=1; w=1
u + w < v + w | u <= v | u=1; v=1; w=0
u - w <= v - w*2 | u <= v; w >= 0 | u=1; v=1; w=1
u*v <= 1 | u <= 1; v <= 1 | u=-2; v=-2
u*v <= 1/4 | u + v <= 1 | u=-2; v=-2
u*v < 1/4 | u + v <= 1; u >= 0; v >= 0 | u=1/2; v=1/2
u*v < 1/4 - 1/10^20 | u + v < 1; u > 0; v > 0 | u=1/2; v=4999999999999999999999/10000000000000000000000
u + v < 2 | u^2 + v^2 <= 2 | u=1; v=1
u + v <= 7/5 | u^2 + v^2 <= 1 | u=7071/10000; v=7071/10000
u + v > -5 | u^2 + v^2 <= 25 | u=-3; v=-4
u*v >= 0 | u + v >= 0; u - v <= 100 | u=1; v=-1
u^2 + v^2 <= 1 | abs(u) <= 1; abs(v) <= 1 | u=1; v=1
abs(u) + abs(v) <= 1 | u^2 + v^2 <= 1 | u=3/5; v=4/5
u^2 <= 4 - 1/10^12 | u <= 2; u >= -1 | u=2
u <= 1 | u^2 <= 1 + 1/10^15 | u=100000000000000001/100000000000000000
u <= 1 | u^3 <= 1 + 1/10^15 | u=10000000000000000001/10000000000000000000
log(u) <= 0 | u^2 <= 1 + 1/10^9; u > 0 | u=100000000001/100000000000
u <= v | exp(u) <= exp(v) + 1/10^20 | u=1e-21; v=0
u < v | exp(u - 1) <= exp(v - 1) | u=1; v=1
u < v | u != v | u=2; v=1
u <= 2 | (u - 1)*(u - 3) <= 0 | u=3
u >= 2 | (u - 1)*(u - 3) >= 0 | u=0
u = 2 | u^2 = 4 | u=-2
u >= 0 | u^3 >= u | u=-1/2
u >= 1 | u^2 >= u; u >= 0 | u=0
u > 1 | u^2 >= u; u > 0 | u=1
u != 1 | u >= 1; u <= 1 | u=1
u < 1 | (u - 1)^2 <= 0 | u=1
u + v > 3 | (u - 1)^2 + (v - 2)^2 <= 0 | u=1; v=2
u*v < 2 | (u - 1)^2 + (v - 2)^2 = 0 | u=1; v=2
u > v | u >= v; v >= u | u=1; v=1
u != v | abs(u - v) <= 0 | u=1; v=1
u > 0 | max(u, -u) <= 0 | u=0
u > 1 | exp(u - 1) <= u | u=1
u != 0 | sqrt(u) <= 0; u >= 0 | u=0
u < 2 | log(u/2) >= 0; u/2 + 2/u <= 2; u > 0 | u=2
u <= v | log(u) <= log(w); u > 0; w > 0; w <= v + 1 | u=3/2; v=1; w=2
u/v <= 1 | u <= v; v != 0 | u=-2; v=-1
u <= v | u/v <= 1; v != 0 | u=1; v=-1
sqrt(u) <= sqrt(v) | u^2 <= v^2; u >= 0 | u=1; v=-2
sqrt(u + v) <= 1 | u <= 1/2; v <= 1/2 | u=-1; v=-1
log(u) <= v | u <= 1 + v; v > -1 | u=-1; v=0
w <= max(u, v) | w <= u + v | u=1; v=1; w=2
w >= u | u + v <= w | u=1; v=-1; w=0
u*v <= w | u <= w; v <= 1; w >= 0 | u=-2; v=-2; w=1
u^2 + v^2 >= 1 | u + v >= 1 | u=1/2; v=1/2
u^2 + v^2 + w^2 >= 1/2 | u + v + w = 1 | u=1/3; v=1/3; w=1/3
u*v*w < 1/27 | u + v + w <= 1; u >= 0; v >= 0; w >= 0 | u=1/3; v=1/3; w=1/3
u*v*w <= 1/27 | u + v + w <= 1 | u=-1; v=-1; w=1
u + v + w > 3 | u*v*w >= 1; u > 0; v > 0; w > 0 | u=1; v=1; w=1
u + 1/u > 2 | u > 0 | u=1
u^w >= 1 | u >= 1 | u=2; w=-1
u^w <= v^w | u <= v; u > 0 | u=1; v=2; w=-1
u^v <= u^w | v <= w; u > 0 | u=1/2; v=1; w=2
u^v > 1 | u > 1; v >= 0 | u=2; v=0
u*log(u) <= v*log(v) | u <= v; u > 0 | u=1/100; v=1/3
u*exp(u) <= v*exp(v) | u <= v | u=-3; v=-1
u*exp(-u) <= v*exp(-v) | u <= v; u >= 0 | u=1; v=2
phi(u) <= phi(v) | u >= v | u=0; v=-1
""")

INTEGERS = _pitfalls("""
k^2 >= k | k >= 0 | k=1/2
k*(k - 1)*(k - 2) >= 0 | k >= 0 | k=3/2
abs(k - 1/2) >= 1/2 | | k=1/2
floor(k) = k | k >= 0 | k=1/2
sin(pi*k) = 0 | | k=1/2
cos(2*pi*k) = 1 | | k=1/2
factorial(k) >= 1 | k >= 0 | k=1/2
2^k >= k^2 | k: integer; k >= 0 | k=3
2^k > k^2 | k: integer; k >= 3 | k=4
2^k >= k^3 | k: integer; k >= 2 | k=9
3^k >= k^4 | k: integer; k >= 1 | k=7
factorial(k) >= 2^k | k: integer; k >= 0 | k=3
factorial(k) >= k^3 | k: integer; k >= 4 | k=5
factorial(k) > 2^(k - 1) | k: integer; k >= 1 | k=2
binomial(2*k, k) > 4^k/(2*k + 1) | k: integer; k >= 0 | k=0
binomial(2*k, k) <= 3^k | k: integer; k >= 0 | k=10
binomial(k, 2) >= k | k: integer; k >= 0 | k=2
k <= 1000000 | k: integer; k >= 0 | k=1000001
2^k <= 10^20*(k + 1) | k: integer; k >= 0 | k=100
k^3 <= 2^k + 250 | k: integer; k >= 0 | k=8
log(k) <= 10 | k: integer; k >= 1 | k=30000
harmonic(k) <= 6 | k: integer; k >= 1 | k=400
sum(1/i, i, 1, k) <= 4 | k: integer; k >= 1 | k=40
sum(1/i^2, i, 1, k) <= 8/5 | k: integer; k >= 1 | k=60
sum(1/i^2, i, 1, k) < 2 - 1/k | k: integer; k >= 1 | k=1
(1 + 1/k)^k <= 27/10 | k: integer; k >= 1 | k=1000
(1 - 1/k)^k <= 367/1000 | k: integer; k >= 1 | k=1000
k^(1/k) <= 7/5 | k: integer; k >= 1 | k=3
(k + 1)/k >= 1001/1000 | k: integer; k >= 1 | k=2000
sqrt(k + 1) - sqrt(k) >= 1/1000 | k: integer; k >= 0 | k=1000000
(k - 7)*(k - 8) > 0 | k: integer | k=7
(k - 7)*(k - 9) >= 0 | k: integer | k=8
(2*k - 15)^2 > 1 | k: integer | k=8
(k^2 - 50)^2 >= 2 | k: integer | k=7
k*(k - 13)*(k - 14)*(k - 15) >= -3959 | k: integer; k >= 0 | k=3
abs(k^2 - 2*n^2) >= 2 | k: integer, k >= 1; n: integer, n >= 1 | k=99; n=70
k^2 != n^2 + 64 | k: integer, k >= 0; n: integer, n >= 1 | k=10; n=6
k^2 + n^2 != 25 | k: integer; n: integer | k=3; n=4
k*n != 221 | k: integer, k >= 2; n: integer, n >= 2 | k=13; n=17
k + n < k*n | k: integer, k >= 2; n: integer, n >= 2 | k=2; n=2
k*n > k + n - 1 | k: integer, k >= 1; n: integer, n >= 1 | k=5; n=1
k^n >= n^k | k: integer, k >= 2; n: integer; n >= k | k=2; n=3
binomial(n, k) <= 2^(n - 1) | n: integer, n >= 0; k: integer, k >= 0; k <= n | n=0; k=0
binomial(n, k) >= n | n: integer, n >= 0; k: integer, k >= 1; k <= n | n=3; k=3
binomial(n, k) = binomial(n, k - 1) | n: integer, n >= 1; k: integer, k >= 1; k <= n | n=2; k=1
binomial(n + 1, k) = binomial(n, k) + binomial(n, k + 1) | n: integer, n >= 1; k: integer, k >= 0; k < n | n=3; k=0
k*binomial(n, k) = n*binomial(n - 1, k) | n: integer, n >= 2; k: integer, k >= 1; k < n | n=4; k=1
binomial(n, k) <= n^k/factorial(k) - 1 | n: integer, n >= 1; k: integer, k >= 0; k <= n | n=3; k=0
sum(i, i, 1, k) = k*(k - 1)/2 | k: integer, k >= 1 | k=3
sum(i, i, 0, k - 1) = k*(k + 1)/2 | k: integer, k >= 1 | k=3
sum(i^2, i, 1, k) = k*(k + 1)*(2*k - 1)/6 | k: integer, k >= 1 | k=2
sum(i^3, i, 1, k) = k^2*(k - 1)^2/4 | k: integer, k >= 1 | k=2
sum(2*i - 1, i, 1, k) = (k + 1)^2 | k: integer, k >= 1 | k=2
sum(2*i + 1, i, 0, k) = k^2 | k: integer, k >= 1 | k=2
sum(2^i, i, 0, k) = 2^k - 1 | k: integer, k >= 0 | k=3
sum(2^i, i, 1, k) = 2^(k + 1) - 1 | k: integer, k >= 1 | k=3
sum(1/2^i, i, 1, k) = 1 | k: integer, k >= 1 | k=5
sum(1/2^i, i, 0, k) <= 2 - 1/2^k - 1/10^12 | k: integer, k >= 0 | k=3
sum(u^i, i, 0, k) = (1 - u^k)/(1 - u) | k: integer, k >= 1; u > 0; u < 1 | k=3; u=1/2
sum(u^i, i, 0, k) = (1 - u^(k + 1))/(1 - u) | k: integer, k >= 1; u > 0 | k=3; u=1
sum(u^i, i, 1, k) <= u/(1 - u) - 1/10^6 | k: integer, k >= 1; u > 0; u < 1 | k=30; u=1/4
sum(1/(i*(i + 1)), i, 1, k) = 1 - 1/k | k: integer, k >= 1 | k=2
sum(1/(i*(i + 1)), i, 1, k) < 999/1000 | k: integer, k >= 1 | k=2000
sum(binomial(k, i), i, 1, k) = 2^k | k: integer, k >= 1 | k=3
sum(binomial(k, i), i, 0, k - 1) = 2^k | k: integer, k >= 1 | k=3
sum(i*binomial(k, i), i, 0, k) = k*2^k | k: integer, k >= 1 | k=3
sum(binomial(k, i)*(-1)^i, i, 0, k) = 0 | k: integer, k >= 0 | k=0
sum(binomial(k, i)*u^i, i, 0, k) = (1 + u)^(k + 1) | k: integer, k >= 1; u > 0 | k=2; u=1
sum(binomial(k, i)*u^i*(1 - u)^(k - i), i, 1, k) = 1 | k: integer, k >= 1; u > 0; u < 1 | k=2; u=1/2
sum(i*binomial(k, i)*u^i*(1 - u)^(k - i), i, 0, k) = (k - 1)*u | k: integer, k >= 1; u > 0; u < 1 | k=2; u=1/2
product(i, i, 1, k) = factorial(k + 1) | k: integer, k >= 1 | k=2
product(i/(i + 1), i, 1, k) = 1/k | k: integer, k >= 1 | k=2
product(1 + u, i, 1, k) = (1 + u)^(k - 1) | k: integer, k >= 1; u > 0 | k=2; u=1
harmonic(k) = sum(1/i, i, 1, k - 1) | k: integer, k >= 2 | k=3
factorial(k + 1) = k*factorial(k) | k: integer, k >= 0 | k=2
factorial(2*k) = 2*factorial(k) | k: integer, k >= 1 | k=2
(-1)^k = 1 | k: integer, k >= 0 | k=3
(-1)^(k*(k + 1)/2) = 1 | k: integer, k >= 0 | k=1
(-2)^k <= 2^k - 1/2 | k: integer, k >= 1 | k=2
u^k >= 0 | k: integer, k >= 1 | k=3; u=-1
u^(2*k) > 0 | k: integer, k >= 1 | k=2; u=0
u^(2*k + 1) <= u | k: integer, k >= 1; u <= 1 | k=1; u=-1/2
(u^2)^k = u^k | k: integer, k >= 1; u >= 0 | k=1; u=2
(1 + u)^k >= 1 + k*u | k: integer, k >= 0 | k=3; u=-4
(1 + u)^k > 1 + k*u | k: integer, k >= 1; u >= 0 | k=1; u=1
(1 + u)^k <= exp(k*u) - 1/10^20 | k: integer, k >= 1; u >= 0 | k=3; u=0
(1 - u)^k >= 1 - k*u + 1/10^25 | k: integer, k >= 1; u >= 0; u <= 1 | k=1; u=1/3
1 - (1 - u)^k <= k*u - k*u^2/1000 | k: integer, k >= 1; u >= 0; u <= 1 | k=1; u=1/2
""")

CALCULUS = _pitfalls("""
limit((exp(u*s) - 1)/s, s, 0, 1) = u + 1/10^20 | | u=1 | u = u + 1/10^20
limit(sin(u*s)/s, s, 0, 1) = 1 | u > 0 | u=2 | u = 1
limit((1 + u/s)^s, s, oo) = exp(-u) | | u=1 | exp(u) = exp(-u)
limit((1 + 1/s)^(u*s), s, oo) < exp(u) | u > 0 | u=1 | u < u
limit(abs(s)/s, s, 0, -1) = 1 | | | -1 = 1
limit(abs(s - u)/(s - u), s, u, -1) >= 0 | | u=1 | -1 >= 0
limit(abs(s)/s, s, 0) = 1 | | | none
limit(floor(s), s, u, -1) = floor(u) | | u=2 | u - 1 = floor(u)
limit(ceil(s), s, u, 1) = ceil(u) | | u=2 | u + 1 = ceil(u)
limit(exp(-u*s), s, oo) = 0 | u >= 0 | u=0 | exp(0) = 0
limit(tanh(u*s), s, oo) = 1 | u >= 0 | u=0 | tanh(0) = 1
limit(u^s, s, oo) = 0 | u > 0; u <= 1 | u=1 | 1 = 0
limit(s^u, s, 0, 1) = 0 | u >= 0 | u=0 | 1 = 0
limit(sqrt(s^2 + u*s) - s, s, oo) = u | | u=1 | u/2 = u
limit((s^2 - u^2)/(s - u), s, u, 1) = u | | u=1 | 2*u = u
limit(max(s, u), s, 0, 1) = u | | u=-1 | 0 = u
limit((cosh(u*s) - 1)/s^2, s, 0, 1) = u/2 | | u=2 | u^2/2 = u/2
limit((1 - cos(s))/s^2, s, 0, 1) < 1/2 | | | 1/2 < 1/2
limit(s*log(s) + u, s, 0, 1) > u | | u=1 | u > u
limit(s*log(1 + u/s), s, oo) <= u - u^2/10^9 | u > 0 | u=1 | u <= u - u^2/10^9
limit(log(1 + exp(s)) - s, s, oo) > 0 | | | 0 > 0
limit(Phi(s*u), s, oo) = 1 | | u=-1 | 0 = 1
limit((u^s - 1)/s, s, 0, 1) = log(u) + 1/10^15 | u > 0 | u=1 | log(u) = log(u) + 1/10^15
limit(s/(s + u), s, oo) < 1 | u > 0 | u=1 | 1 < 1
minimum(s, s > 0) > 0 | | | 0 > 0
minimum(exp(-s), s > 0) >= 1/10^30 | | | 0 >= 1/10^30
minimum(s^2 - 2*u*s, s >= 0) = -u^2 | | u=-1 | 0 = -u^2
minimum(s^2 - 2*u*s, 0 <= s <= 1) = -u^2 | | u=2 | 1 - 2*u = -u^2
minimum((s - u)^2, s > 0) = 0 | | u=-1 | u^2 = 0
minimum(abs(s - u), 0 <= s <= 1) = 0 | u >= 0 | u=2 | u - 1 = 0
minimum(s + u/s, s > 0) > 2*sqrt(u) | u > 0 | u=4 | 2*sqrt(u) > 2*sqrt(u)
minimum(s + u/s, s > 1) = 2*sqrt(u) | u > 0 | u=1/4 | 1 + u = 2*sqrt(u)
minimum(s + u/s, s > 0) = 2*u | u > 0 | u=4 | 2*sqrt(u) = 2*u
minimum(u*s + v/s, s > 0) <= 2*sqrt(u*v) - 1/10^20 | u > 0; v > 0 | u=1; v=4 | 2*sqrt(u*v) <= 2*sqrt(u*v) - 1/10^20
minimum(u*s, 0 <= s <= 1) = 0 | | u=-1 | u = 0
minimum(u*s, 0 <= s <= 1) = min(u, 1) | | u=2 | 0 = min(u, 1)
minimum(exp(s) - u*s, s >= 0) = u - u*log(u) | u > 0 | u=1/2 | 1 = u - u*log(u)
minimum(s*log(s), s > 0) > -exp(-1) | | | 1 > 1
minimum(s*log(s), s >= 1) < 0 | | | 0 < 0
maximum(s*(1 - s), 0 < s < 1) < 1/4 | | | 1/4 < 1/4
maximum(s, 0 < s < 1) < 1 | | | 1 < 1
maximum(u*s - s^2/2, s >= 0) = u^2/2 | | u=-1 | 0 = u^2/2
maximum(u*s - exp(s), s >= 0) = u*log(u) - u | u > 0 | u=1/2 | -1 = u*log(u) - u
maximum(s*exp(-s), s >= u) = exp(-1) | u >= 0 | u=2 | u*exp(-u) = exp(-1)
maximum(min(s, u - s), 0 <= s <= 1) = u/2 | u >= 0 | u=4 | 1 = u/2
maximum(s^2, u <= s <= v) = v^2 | u <= v | u=-2; v=1 | u^2 = v^2
maximum(1/s, s > u) = 1/u | u != 0 | u=-1 | none
maximum(tanh(s), s > 0) < 1 | | | 1 < 1
argmin((s - u)^2, s >= 0) = u | | u=-1 | 0 = u
argmax(s*(1 - s), 0 <= s <= 1) > 1/2 | | | 1/2 > 1/2
minimum(s^2 + u*s, s) = -u^2/2 | | u=1 | -u^2/4 = -u^2/2
minimum(max(s, u - s), s) < u/2 | | u=3 | u/2 < u/2
integral(exp(s), s, 0, u) = exp(u) | | u=1 | exp(u) - 1 = exp(u)
integral(sin(s), s, 0, u) = -cos(u) | | u=1 | 1 - cos(u) = -cos(u)
integral(2*s, s, 1, u) = u^2 | u >= 1 | u=2 | u^2 - 1 = u^2
integral(1/(1 + s)^2, s, 0, u) = -1/(1 + u) | u >= 0 | u=1 | 1 - 1/(1 + u) = -1/(1 + u)
integral(1/s, s, 1, u) = log(u) + 1/10^18 | u >= 1 | u=2 | log(u) = log(u) + 1/10^18
integral(exp(-u*s), s, 0, oo) = 1/u | u != 0 | u=-1 | none
integral(exp(-u*s), s, 0, oo) = 1/u | u >= 0 | u=0 | none
integral(exp(-u*s), s, 0, 1) = (1 - exp(-u))/u | | u=0 | none
integral(s*exp(-u*s), s, 0, oo) = 1/u | u > 0 | u=2 | 1/u^2 = 1/u
integral(s^u, s, 0, 1) = 1/(u + 1) | u >= -1 | u=-1 | none
integral(s^u, s, 1, v) = (v^(u + 1) - 1)/(u + 1) | v > 1 | u=-1; v=2 | none
integral(abs(s - u), s, 0, 1) = (u^2 + (1 - u)^2)/2 | | u=2 | u - 1/2 = (u^2 + (1 - u)^2)/2
integral(abs(s), s, u, 1) = (1 - u^2)/2 | u <= 1 | u=-1 | (1 + u^2)/2 = (1 - u^2)/2
integral(max(0, s - u), s, 0, 1) = (1 - u)^2/2 | u <= 1 | u=-1 | 1/2 - u = (1 - u)^2/2
integral(min(s, u), s, 0, 1) = u - u^2/2 | u >= 0 | u=2 | 1/2 = u - u^2/2
integral(1/s, s, -1, 1) = 0 | | | none
integral(1/s^2, s, -1, 1) = -2 | | | none
integral(s/(1 + s^2), s, -oo, oo) = 0 | | | none
integral(1/sqrt(s), s, 0, 1) < 2 | | | 2 < 2
integral(exp(-s^2/2), s, -oo, oo) = 2*sqrt(pi) | | | sqrt(2*pi) = 2*sqrt(pi)
integral(phi(s), s, u, oo) = Phi(u) | | u=1 | Phi(-u) = Phi(u)
integral(phi(s), s, u, oo) <= Phi(-u) - 1/10^25 | | u=1 | Phi(-u) <= Phi(-u) - 1/10^25
integral(s^2*phi(s), s, -oo, oo) < 1 | | | 1 < 1
integral(phi(s - u)*exp(s), s, -oo, oo) = exp(u) | | u=1 | exp(u + 1/2) = exp(u)
integral(exp(-abs(s)/u)/(2*u), s, -oo, oo) = 1 | u != 0 | u=-1 | none
integral(exp(-abs(s - u)), s, 0, oo) = 2 - exp(-u) | | u=-1 | exp(u) = 2 - exp(-u)
integral(u, s, 0, v) >= 0 | u >= 0 | u=1; v=-1 | u*v >= 0
integral(s^2, s, u, v) >= 0 | | u=1; v=0 | (v^3 - u^3)/3 >= 0
integral(floor(s), s, 0, 2) = 2 | | | 1 = 2
diff(s^2, s, 1, u) = u | | u=1 | 2*u = u
diff(abs(s), s, 1, u) = sign(u) | | u=0 | none
diff(max(s, 0), s, 1, u) >= 0 | | u=0 | none
diff(sqrt(s), s, 1, u) > 0 | u >= 0 | u=0 | none
diff(log(s), s, 1, u) = 1/u | u != 0 | u=-1 | none
diff(exp(s^2), s, 1, u) = exp(u^2) | | u=1 | 2*u*exp(u^2) = exp(u^2)
diff(s*exp(s), s, 1, u) = exp(u) | | u=1 | exp(u) + u*exp(u) = exp(u)
diff(sin(s)*cos(s), s, 1, u) = -cos(u)*sin(u) | | u=0 | cos(u)^2 - sin(u)^2 = -cos(u)*sin(u)
diff(s/(1 + s), s, 1, u) = 1/(1 + u) | u > 0 | u=1 | 1/(1 + u)^2 = 1/(1 + u)
diff(Phi(2*s), s, 1, u) = phi(2*u) | | u=0 | 2*phi(2*u) = phi(2*u)
diff(exp(3*s), s, 2, u) = 3*exp(3*u) | | u=0 | 9*exp(3*u) = 3*exp(3*u)
diff(log(1 + s), s, 2, u) = 1/(1 + u)^2 | u > -1 | u=0 | -1/(1 + u)^2 = 1/(1 + u)^2
diff(s^3, s, 1, u) > 0 | | u=0 | 3*u^2 > 0
diff(s^v, s, 1, u) = v*u^v | u > 0 | u=2; v=1 | v*u^(v - 1) = v*u^v
diff(tanh(s), s, 1, u) = 1 + tanh(u)^2 | | u=1 | 1 - tanh(u)^2 = 1 + tanh(u)^2
diff(erf(s), s, 1, u) = exp(-u^2)/sqrt(pi) | | u=0 | 2*exp(-u^2)/sqrt(pi) = exp(-u^2)/sqrt(pi)
root(s^2 - u, s, 0, oo) = u | u > 0 | u=4 | sqrt(u) = u
root(exp(s) - u, s, -oo, oo) < log(u) | u > 0 | u=2 | u < u
sum(1/2^i, i, 0, oo) < 2 | | | 2 < 2
sum(1/2^i, i, 1, oo) = 2 | | | 1 = 2
sum(u^i, i, 0, oo) = 1/(1 - u) | u > 0; u != 1 | u=2 | none
sum(u^i, i, 1, oo) = 1/(1 - u) | u > 0; u < 1 | u=1/2 | u/(1 - u) = 1/(1 - u)
sum(i*u^i, i, 0, oo) = 1/(1 - u)^2 | u > 0; u < 1 | u=1/2 | u/(1 - u)^2 = 1/(1 - u)^2
sum(1/i, i, 1, oo) <= 1000 | | | none
sum(u^i/factorial(i), i, 0, oo) = exp(u) - 1 | u > 0 | u=1 | exp(u) = exp(u) - 1
""")

CASES = _pitfalls("""
piecewise(1, u > 0, 0) = piecewise(1, u >= 0, 0) | | u=0
piecewise(u, u > 0, -u) > 0 | | u=0
piecewise(1, u >= 0, -1) = sign(u) | | u=0
piecewise(u^2, u < 1, u^2 + 1) <= u^2 + 1/2 | u <= 1 | u=1
piecewise(u, u <= v, v) = max(u, v) | | u=0; v=1
piecewise(u, u < v, v) < v | u <= v | u=1; v=1
piecewise(0, u < 0, u, u < 1, 1) = u | u >= 0 | u=2
piecewise(log(u), u >= 0, 0) <= u | | u=0
piecewise(1/u, u != 0, 1) >= 0 | u >= -1 | u=-1/2
piecewise(u, abs(u) <= 1, 0) <= abs(u) - 1/10^20 | u >= 0; u <= 1 | u=1
piecewise(1, all(u >= 1, u <= 1), 0) = 0 | u >= 0 | u=1
piecewise(1, u != 1, 0) = 1 | u > 0 | u=1
piecewise(u, u <= 1, 2 - u) >= 0 | u >= 0 | u=3
piecewise(exp(u), u <= 0, 1 + u) > 1 | u >= 0 | u=0
piecewise(1 + u, u < 0, exp(u)) >= 1 + u + u^2/2 | u >= -1 | u=-1/2
piecewise(-1, u < v, 1)*(u - v) > 0 | | u=1; v=1
piecewise(1, floor(u) = u, 0) = 0 | u > 0 | u=2
piecewise(u, all(u > 0, u < 1), 0) < u | u >= 0 | u=0
piecewise(1, any(u < 0, u > 0), 0) = 1 | | u=0
max(piecewise(u, u > 0, 0), 0) >= u + 1/10^30 | u >= 0 | u=1
""")

CHANCE = _pitfalls("""
E(s, s, X) = u + 1/10^12 | X: Normal(u, 1) | u=0 | u = u + 1/10^12
E(s^2, s, X) = v | v > 0; X: Normal(u, v) | u=1; v=2 | u^2 + v = v
E(s^2, s, X) = u | u > 0; X: Normal(0, u^2) | u=2 | u^2 = u
E(s^4, s, X) = 3*u | u > 0; X: Normal(0, u) | u=2 | 3*u^2 = 3*u
E(abs(s), s, X) = u | u > 0; X: Normal(0, u^2) | u=1 | u*sqrt(2/pi) = u
E(abs(s), s, X) >= u*798/1000 | u > 0; X: Normal(0, u^2) | u=1 | u*sqrt(2/pi) >= u*798/1000
E(exp(s), s, X) = exp(u^2) | u > 0; X: Normal(0, u^2) | u=1 | exp(u^2/2) = exp(u^2)
E(exp(s), s, X) < exp(u + v/2) | v > 0; X: Normal(u, v) | u=0; v=1 | 1 < 1
E(exp(s^2/4), s, X) = 2 | X: Normal(0, 1) | | sqrt(2) = 2
Pr(s > u, s, X) = Phi(u) | X: Normal(0, 1) | u=1 | Phi(-u) = Phi(u)
Pr(s > u, s, X) <= exp(-u^2/2)/2 | X: Normal(0, 1) | u=-1 | Phi(-u) <= exp(-u^2/2)/2
Pr(abs(s) > u, s, X) = Phi(-u) | u >= 0; X: Normal(0, 1) | u=1 | 2*Phi(-u) = Phi(-u)
Pr(s <= u, s, X) < 1/2 | u <= 0; X: Normal(0, 1) | u=0 | 1/2 < 1/2
E(abs(s), s, X) = sqrt(2)*u | u > 0; X: Laplace(u) | u=1 | u = sqrt(2)*u
E(s^2, s, X) = u^2 | u > 0; X: Laplace(u) | u=1 | 2*u^2 = u^2
E(exp(s), s, X) = 1/(1 - u^2) | u > 0; X: Laplace(u) | u=2 | none
E(exp(v*s), s, X) = 1/(1 - v^2) | v < 1; X: Laplace(1) | v=-1 | none
Pr(s > u, s, X) = exp(-u)/2 | X: Laplace(1) | u=-1 | 1 - exp(u)/2 = exp(-u)/2
Pr(s > u, s, X) = exp(-u) | u >= 0; X: Laplace(1) | u=1 | exp(-u)/2 = exp(-u)
Pr(abs(s) > u, s, X) = exp(-u) | X: Laplace(1) | u=-1 | 1 = exp(-u)
E(max(s, 0), s, X) = u | u > 0; X: Laplace(u) | u=1 | u/2 = u
E(abs(s - u), s, X) = u + exp(-u) | X: Laplace(1) | u=-1 | abs(u) + exp(-abs(u)) = u + exp(-u)
E(s, s, X) = u | u > 0; X: Exponential(u) | u=2 | 1/u = u
E(s^2, s, X) = 1/u^2 | u > 0; X: Exponential(u) | u=1 | 2/u^2 = 1/u^2
E(exp(s), s, X) = u/(u - 1) | u > 0; u != 1; X: Exponential(u) | u=1/2 | none
Pr(s > v, s, X) = exp(-u*v) | u > 0; X: Exponential(u) | u=1; v=-1 | 1 = exp(-u*v)
E(1/s, s, X) = u | u > 0; X: Exponential(u) | u=1 | none
E(s, s, X) = (v - u)/2 | u < v; X: Uniform(u, v) | u=1; v=2 | (u + v)/2 = (v - u)/2
E(s^2, s, X) = u^2/2 | u > 0; X: Uniform(0, u) | u=1 | u^2/3 = u^2/2
E(log(s), s, X) = log(u) | u > 0; X: Uniform(0, u) | u=1 | log(u) - 1 = log(u)
E(1/s, s, X) >= 1 | X: Uniform(0, 1) | | none
Pr(s > u, s, X) = 1 - u | X: Uniform(0, 1) | u=-1 | 1 = 1 - u
Pr(s > u, s, X) = 1 - u | u >= 0; X: Uniform(0, 1) | u=2 | 0 = 1 - u
E(max(s, u), s, X) = (1 + u^2)/2 | u >= 0; X: Uniform(0, 1) | u=2 | u = (1 + u^2)/2
E((s - u)^2, s, X) <= 1/12 | X: Uniform(0, 1) | u=1 | 1/3 - u + u^2 <= 1/12
""")
