"""Run by the interpreters of other accountants: one question a line in, one answer a line out (accounting.py)."""

import json
import resource
import sys
import time


def dp_accounting(q, sigma, steps, delta, interval):
    from dp_accounting.pld import privacy_loss_distribution as pld

    def composed(pessimistic):
        one = pld.from_gaussian_mechanism(
            sigma, sampling_prob=q, value_discretization_interval=interval, pessimistic_estimate=pessimistic
        )
        return one.self_compose(steps).get_epsilon_for_delta(delta)

    started = time.perf_counter()
    upper = composed(True)
    seconds = time.perf_counter() - started
    return composed(False), upper, seconds


def prv_accountant(q, sigma, steps, delta, error):
    from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant

    started = time.perf_counter()
    prv = PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=q)
    acc = PRVAccountant(prvs=[prv], max_self_compositions=[steps], eps_error=error, delta_error=delta / 1000)
    low, _, high = acc.compute_epsilon(delta=delta, num_self_compositions=[steps])
    return low, high, time.perf_counter() - started


def opacus_prv(q, sigma, steps, delta, error):
    from opacus.accountants import PRVAccountant

    started = time.perf_counter()
    acc = PRVAccountant()
    acc.history = [(sigma, q, steps)]
    high = acc.get_epsilon(delta=delta, eps_error=error)
    return None, float(high), time.perf_counter() - started


def opacus_rdp(q, sigma, steps, delta, error):
    from opacus.accountants import RDPAccountant

    started = time.perf_counter()
    acc = RDPAccountant()
    acc.history = [(sigma, q, steps)]
    return None, float(acc.get_epsilon(delta=delta)), time.perf_counter() - started


def autodp(q, sigma, steps, delta, error):
    from autodp import mechanism_zoo, transformer_zoo

    started = time.perf_counter()
    sampling = transformer_zoo.AmplificationBySampling(PoissonSampling=True)
    sampled = sampling(mechanism_zoo.GaussianMechanism(sigma=sigma), q, improved_bound_flag=True)
    whole = transformer_zoo.Composition()([sampled], [steps])
    return None, float(whole.get_approxDP(delta)), time.perf_counter() - started


for line in sys.stdin:
    name, settings = json.loads(line)
    try:
        low, high, seconds = globals()[name](*settings)
    except Exception as error:  # noqa: BLE001 (whatever it is, the next question is asked)
        low = high = seconds = None
        print(type(error).__name__, error, file=sys.stderr)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps([name, settings, low, high, seconds, memory]), flush=True)
