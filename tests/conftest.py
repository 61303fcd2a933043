"""What all tests share: one Hypothesis profile, and how many cases of one test a contributor runs."""

import pytest
from hypothesis import settings

# no deadlines, since a first call compiles what later ones reuse
settings.register_profile("dpsym", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("dpsym")

MOST_CASES = 12  # of one test; the others are slow tests, which continuous integration runs


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Of a test with many cases a dozen, evenly spread, are enough to be quick; a test that is asked for runs whole."""
    if config.option.keyword or any("::" in argument for argument in config.args):
        return
    cases = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for same in cases.values():
        chosen = {round(i * (len(same) - 1) / (MOST_CASES - 1)) for i in range(MOST_CASES)}
        for number, item in enumerate(same):
            if len(same) > MOST_CASES and number not in chosen:
                item.add_marker(pytest.mark.slow)
