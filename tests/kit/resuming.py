"""`--finished FILE`: the test files that have passed are listed there, and the next run with it leaves them out."""

from collections import Counter
from pathlib import Path


class Resuming:
    """Registered where the option was given; a worker only leaves out, and the process that it reports to lists."""

    def __init__(self, config, place: Path) -> None:
        self.place, self.lists = place, not hasattr(config, "workerinput")
        self.done = set(place.read_text(encoding="utf-8").split()) if place.exists() else set()
        self.left, self.failed = Counter(), set()

    def pytest_collection_modifyitems(self, config, items):
        """Leave out what has passed."""
        passed = [item for item in items if item.nodeid.partition("::")[0] in self.done]
        config.hook.pytest_deselected(items=passed)
        items[:] = [item for item in items if item not in set(passed)]

    def pytest_runtest_logreport(self, report):
        """A file has passed when none of its tests is left, and none of them failed."""
        file = report.nodeid.partition("::")[0]
        if report.failed:
            self.failed.add(file)
        if report.when == "teardown":
            self.left[file] -= 1
            if self.lists and self.left[file] == 0 and file not in self.failed:
                with self.place.open("a", encoding="utf-8") as listed:
                    listed.write(f"{file}\n")

    def of_all(self, names):
        """How many tests each file has."""
        self.left.update(name.partition("::")[0] for name in names)

    def pytest_collection_finish(self, session):
        """Without workers."""
        self.of_all(item.nodeid for item in session.items)

    def pytest_xdist_node_collection_finished(self, node, ids):
        """With workers, which all have the same tests."""
        if not self.left:
            self.of_all(ids)
