"""Inequalities of the field that need more than algebra: 21 true ones and 7 false, in the notation of `dpsym prove`."""

_LAPLACE = "alpha/(2*alpha-1)*exp((alpha-1)*t) + (alpha-1)/(2*alpha-1)*exp(-alpha*t)"
_BUN_STEINKE = "sinh(alpha*epsilon) - sinh((alpha-1)*epsilon) <= exp(alpha*(alpha-1)*epsilon^2/{})*sinh(epsilon)"
_GAUSSIAN = "Phi(mu/2 - epsilon/mu) - exp(epsilon)*Phi(-epsilon/mu - mu/2)"
_CLASSICAL = ("0.01 <= epsilon <= {upper}", "{lower} <= L <= 30", "mu = epsilon/sqrt(2*({constant} + L))")


def _classical(constant, upper="1", lower="2.4"):
    return tuple(text.format(constant=constant, upper=upper, lower=lower) for text in _CLASSICAL)


# claim, declarations (`name = expression` is an abbreviation), whether it is true
CLAIMS = [
    ("x/2 >= tanh(x/2)", ("x >= 0",), True),
    ("x*(exp(x) + 1) >= 2*(exp(x) - 1)", ("0 <= x <= 20",), True),
    ("exp(x) >= 1 + x", ("-5 <= x <= 5",), True),
    ("exp(x) <= 1 + x + x^2", ("0 <= x <= 1.79",), True),
    ("log(1 + x) <= x", ("x >= 0",), True),
    ("u + 1/u >= 2", ("1/10 <= u <= 10",), True),
    (_BUN_STEINKE.format("2"), ("1 <= alpha <= 4", "0 <= epsilon <= 2"), True),
    (_BUN_STEINKE.format("2"), ("1.1 <= alpha <= 6", "0.1 <= epsilon <= 3"), True),
    (f"log({_LAPLACE}) <= (alpha-1)*t", ("1 <= alpha <= 16", "0 <= t <= 4"), True),
    (f"log({_LAPLACE}) <= alpha*(alpha-1)*t^2/2", ("1 <= alpha <= 8", "0 <= t <= 2"), True),
    ("log((exp(alpha*epsilon) + exp((1-alpha)*epsilon))/(1 + exp(epsilon))) <= alpha*(alpha-1)*epsilon^2/2",
     ("1 <= alpha <= 8", "0 <= epsilon <= 2"), True),
    ("epsilon*tanh(epsilon/2) <= epsilon", ("epsilon >= 0",), True),
    ("log(1 + q*(exp(epsilon) - 1)) <= 2*q*epsilon", ("0 <= q <= 1", "0 <= epsilon <= 1"), True),
    ("log(1 + q*(exp(epsilon) - 1)) >= q*epsilon", ("0 <= q <= 1", "0 <= epsilon <= 4"), True),
    ("log(alpha/(alpha-1)) + log(alpha)/(alpha-1) >= 0", ("alpha >= 1.001",), True),
    ("Phi(-x) <= exp(-x^2/2)/2", ("0 <= x <= 20",), True),
    ("Phi(-x) <= exp(-x^2/2)/sqrt(2*pi)/x", ("0.1 <= x <= 20",), True),
    (f"exp(L)*({_GAUSSIAN}) <= 1", _classical("log(1.25)"), True),
    (f"exp(L)*({_GAUSSIAN}) <= 1", _classical("log(1.24)"), True),
    (f"exp(L)*({_GAUSSIAN}) <= 1", ("0.1 <= mu <= 2", "1 <= L <= 25", "epsilon = mu^2/2 + mu*sqrt(2*L)"), True),
    (f"exp(L)*({_GAUSSIAN}) <= 1", _classical("0", lower="0.2"), True),
    (f"exp(L)*({_GAUSSIAN}) <= 1", _classical("log(1.25)", upper="12"), False),
    (_BUN_STEINKE.format("2.1"), ("1 <= alpha <= 4", "0 <= epsilon <= 2"), False),
    ("x/2.001 >= tanh(x/2)", ("x >= 0",), False),
    (f"log({_LAPLACE}) <= alpha*(alpha-1)*t^2/2.05", ("1 <= alpha <= 8", "0 <= t <= 2"), False),
    ("sqrt(2*k*log(10^5))*epsilon + k*epsilon*(exp(epsilon) - 1) <= k*epsilon",
     ("1 <= k <= 100", "0.01 <= epsilon <= 1"), False),
    ("log(1 + q*(exp(epsilon) - 1)) <= q*epsilon", ("0 <= q <= 1", "0 <= epsilon <= 1"), False),
    ("exp(x) <= 1 + x + x^2", ("0 <= x <= 1.8",), False),
]  # fmt: skip
