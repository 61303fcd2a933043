"""Run by the interpreters of other accountants: one question a line in, one answer a line out, both JSON.

A question is {"way": …, "kind": "gaussian", "q": 0.01, "parameter": 1.0, "steps": 1000, "delta": 1e-5, "knob": 1e-3,
"limit": 6}; `kind` is gaussian (`parameter` is sigma), laplace (b) or response (epsilon), sensitivity 1.  An answer has
"lower" and "upper" (None where the way has none), "seconds" of the call, "processor" seconds and "memory" in MiB, and
"why" where there is no number.  Each is worked out in a forked process that the kernel ends after `limit` seconds of
processor time, or when it wants more than MEMORY: the imports are not paid twice.
"""

import importlib
import json
import math
import os
import resource
import signal
import sys
import time
import warnings

MEMORY = 6 << 30  # bytes of address space; PyTorch alone takes two GiB


class NotOffered(Exception):
    """The library has no such mechanism."""


def dp_accounting_pld(kind, q, parameter, steps, delta, interval, pessimistic):
    from dp_accounting.pld import privacy_loss_distribution as pld

    knobs = {"value_discretization_interval": interval, "pessimistic_estimate": pessimistic}
    if kind == "gaussian":
        one = pld.from_gaussian_mechanism(parameter, sampling_prob=q, **knobs)
    elif kind == "laplace":
        one = pld.from_laplace_mechanism(parameter, **knobs)
    else:
        one = pld.from_randomized_response(2 / (math.exp(parameter) + 1), 2, **knobs)
    truncated = {} if pessimistic else {"tail_mass_truncation": 0}  # "currently only supports … pessimistic estimates"
    return one.self_compose(steps, **truncated).get_epsilon_for_delta(delta)


def pessimistic(kind, q, parameter, steps, delta, interval):
    return None, dp_accounting_pld(kind, q, parameter, steps, delta, interval, True)


def optimistic(kind, q, parameter, steps, delta, interval):
    return dp_accounting_pld(kind, q, parameter, steps, delta, interval, False), None


def dp_accounting_rdp(kind, q, parameter, steps, delta, _):
    import dp_accounting as dpa
    from dp_accounting import rdp

    if kind == "gaussian":
        one = dpa.GaussianDpEvent(parameter)
        one = one if q == 1 else dpa.PoissonSampledDpEvent(q, one)
    elif kind == "laplace":
        one = dpa.LaplaceDpEvent(parameter)
    else:
        one = dpa.RandomizedResponseDpEvent(2 / (math.exp(parameter) + 1), 2)
    relations = dpa.NeighboringRelation
    relation = relations.REPLACE_ONE if kind == "response" else relations.ADD_OR_REMOVE_ONE
    accountant = rdp.RdpAccountant(neighboring_relation=relation)
    accountant.compose(dpa.SelfComposedDpEvent(one, steps))
    return None, accountant.get_epsilon(delta)


def prv(kind, q, parameter, steps, delta, error):
    import prv_accountant

    if kind == "gaussian" and q == 1:
        one = prv_accountant.GaussianMechanism(noise_multiplier=parameter)
    elif kind == "gaussian":
        one = prv_accountant.PoissonSubsampledGaussianMechanism(noise_multiplier=parameter, sampling_probability=q)
    elif kind == "laplace":
        one = prv_accountant.LaplaceMechanism(mu=1 / parameter)
    else:
        raise NotOffered(kind)
    accountant = prv_accountant.PRVAccountant(
        prvs=[one], max_self_compositions=[steps], eps_error=error, delta_error=delta / 1000
    )
    low, _, high = accountant.compute_epsilon(delta=delta, num_self_compositions=[steps])
    return low, high


def opacus_prv(kind, q, parameter, steps, delta, error):
    from opacus.accountants import PRVAccountant

    if kind != "gaussian":
        raise NotOffered(kind)
    accountant = PRVAccountant()
    accountant.history = [(parameter, q, steps)]
    return None, accountant.get_epsilon(delta=delta, eps_error=error)


def opacus_rdp(kind, q, parameter, steps, delta, _):
    from opacus.accountants import RDPAccountant

    if kind != "gaussian":
        raise NotOffered(kind)
    accountant = RDPAccountant()
    accountant.history = [(parameter, q, steps)]
    return None, accountant.get_epsilon(delta=delta)


def autodp(kind, q, parameter, steps, delta, _):
    from autodp import mechanism_zoo, transformer_zoo

    if kind == "gaussian":
        one = mechanism_zoo.GaussianMechanism(sigma=parameter)
        if q != 1:
            sampling = transformer_zoo.AmplificationBySampling(PoissonSampling=True)
            one = sampling(one, q, improved_bound_flag=True)
    elif kind == "laplace":
        one = mechanism_zoo.LaplaceMechanism(b=parameter)
    else:
        one = mechanism_zoo.RandresponseMechanism(p=1 / (1 + math.exp(-parameter)))
    return None, transformer_zoo.Composition()([one], [steps]).get_approxDP(delta)


WAYS = {  # the library's modules, the function
    "dp-accounting PLD, pessimistic": (("dp_accounting", "dp_accounting.pld.privacy_loss_distribution"), pessimistic),
    "dp-accounting PLD, optimistic": (("dp_accounting", "dp_accounting.pld.privacy_loss_distribution"), optimistic),
    "dp-accounting RDP": (("dp_accounting", "dp_accounting.rdp"), dp_accounting_rdp),
    "prv-accountant": (("prv_accountant",), prv),
    "opacus PRV": (("opacus.accountants",), opacus_prv),
    "opacus RDP": (("opacus.accountants",), opacus_rdp),
    "autodp RDP": (("autodp.mechanism_zoo", "autodp.transformer_zoo"), autodp),
}


def number(value):
    """As JSON has it: numbers that are none, by name."""
    if value is None or math.isfinite(value := float(value)):
        return value
    return str(value)


def worked_out(question):
    kind, knob = question["kind"], question["knob"]
    numbers = [question[name] for name in ("q", "parameter", "steps", "delta")]
    started = time.perf_counter()
    try:
        lower, upper = WAYS[question["way"]][1](kind, *numbers, knob)
    except (NotOffered, NotImplementedError) as error:
        return {"why": "not offered", "message": str(error)[:200]}
    except Exception as error:  # noqa: BLE001 (whatever it is, it is written down)
        return {"why": type(error).__name__, "message": str(error)[:200]}
    return {"lower": number(lower), "upper": number(upper), "seconds": time.perf_counter() - started}


def answer(question):
    for name in WAYS[question["way"]][0]:
        importlib.import_module(name)
    empty = {"lower": None, "upper": None, "seconds": None, "why": "", "message": ""}
    return empty | forked(question["limit"], lambda: worked_out(question))


def forked(seconds, work):
    """The dictionary that `work` returns, from a process of its own that has so many seconds of processor time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        limit = math.ceil(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.alarm(200 * limit)  # should it wait for something; a busy machine alone does not take that long
        os.write(writing, json.dumps(work()).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if said:
        found = json.loads(said)
    else:
        late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM, signal.SIGKILL)
        found = {"why": "no answer in time" if late else "the process ended"}
    return found | {"processor": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss // 1024}


def main():
    warnings.simplefilter("ignore")
    out, sys.stdout = sys.stdout, sys.stderr  # libraries print
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
