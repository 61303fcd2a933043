"""One step: its relations decided under the declared conditions, the author's hints used where they are any."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import islice

import sympy as sp

from dpsym.checking.applying import by_theorem, has_values
from dpsym.checking.bounded_sums import law_against
from dpsym.checking.certifying import certified, of_the_end
from dpsym.checking.chance import Chance
from dpsym.checking.deducing import Sequent, implied
from dpsym.checking.divergence_steps import by_outputs, of_equal_outputs, of_unknown_outputs, speaks_of_outputs
from dpsym.checking.evaluating import Distributions, Evaluation
from dpsym.checking.events import Masses
from dpsym.checking.laws import Law
from dpsym.checking.ledger import Inference, is_certain, reached
from dpsym.checking.pointwise import at_points
from dpsym.checking.refuted import Refuted
from dpsym.checking.results import OPEN, STOPPED, StepResult
from dpsym.checking.suggestions import suggestion
from dpsym.core.clocks import Work, asked, comes_from
from dpsym.core.deadline import LEAST, over, portion, timed
from dpsym.core.families import members_in
from dpsym.core.relations import TRUE, IsInteger, Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict, Witness, weakest
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.deciding.counterexamples.finding import points_of
from dpsym.deciding.definedness import Need
from dpsym.deciding.finite import is_integral
from dpsym.deciding.strategies.expectations import lost_where_infinite
from dpsym.deciding.timeout import within
from dpsym.divergences.finiteness import granted
from dpsym.language.documents.declarations import integers_among
from dpsym.language.documents.derivation import WrittenStep

_WITHOUT_VALUES = 0.4  # of the time, for the step as it was written where its values did not help
_WITHOUT_LAWS = 0.4  # of the time, before laws of chance are asked
_EVALUATING = 0.4  # of the time, for the values of what is declared
_FOR_A_LAW = 0.15  # of the time, for the conditions of one of them
_GRACE = 1.1  # times the limit, for what does not look at the clock
_FEW = 6  # points at which a premise is tried
_MOST_LAWS = 6  # that are tried one by one
_FOR_SUGGESTIONS = 8.0  # seconds: they come after the answer, and nobody waits long for them
_AT_MOST_FOR_SUGGESTIONS = 0.5  # of a step's time
_BEFORE_WHAT_IS_NAMED = 0.1  # of the time, before a theorem that the step names is tried
_FOR_VALUES = 0.5  # of the time, to see that what is cited has a value, which nobody's proof stands for
_FOR_WHAT_IS_CITED = 4.0  # somebody else's proof stands behind it; a mistake in quoting it is found sooner than that


@dataclass(frozen=True, slots=True)
class Task:
    """A step with the inference that it poses."""

    step: WrittenStep
    inference: Inference
    time_limit: float
    suggest: bool = True
    certify: float = 0.0  # seconds for a certificate
    besides: bool = False  # whether one of what was asked in the end is wanted besides
    distributions: Distributions = field(default_factory=dict)
    chance: Chance | None = None
    named: tuple[sp.Symbol, ...] = ()  # divergences and expectations that are only named

    @property
    def cited(self) -> bool:
        """Whether somebody else's proof stands behind it."""
        return self.step.reason is not None and self.step.reason.citation is not None


def check_step(task: Task) -> StepResult:
    """The step decided, and what is said of it then."""
    return annotated(task, decided(task))


def annotated(task: Task, result: StepResult) -> StepResult:
    """With what would make a refuted step true, or a certificate of one that holds."""
    longest = _GRACE * max(_seconds(task), task.certify * (1 + task.besides))
    return asked(task.time_limit, lambda: within(longest, partial(_annotated, task, result), result))


def _annotated(task: Task, result: StepResult) -> StepResult:
    found = _advised(task, result)
    if task.certify:
        found = certified(found, task.inference, task.distributions, Work(task.certify))
    return replace(found, of_the_end=of_the_end(found, task.inference, Work(task.certify))) if task.besides else found


def _advised(task: Task, result: StepResult) -> StepResult:
    """The result with what would make a refuted step true, as far as that is found in the time that is left."""
    if result.decision.verdict is not Verdict.REFUTED or not task.suggest:
        return result
    started = time.monotonic()
    with timed(min(_AT_MOST_FOR_SUGGESTIONS * _seconds(task), _FOR_SUGGESTIONS)):
        advice = _advice(task, result.decision)
    spent = result.decision.seconds + time.monotonic() - started
    return replace(result, decision=replace(result.decision, seconds=spent), suggestion=advice)


def _seconds(task: Task) -> float:
    return min(task.time_limit, _FOR_WHAT_IS_CITED) if task.cited else task.time_limit


def decided(task: Task) -> StepResult:
    """The verdict alone; every exception of the mathematics becomes `open`, with what it said."""
    looking = 2 * _FOR_VALUES * task.time_limit if task.cited else 0.0  # that it has values, and holds at points
    longest = _GRACE * (_seconds(task) + looking)
    stopped = StepResult(task.step, replace(STOPPED, seconds=longest))
    return asked(task.time_limit, lambda: within(longest, partial(_settled, task), stopped))


def _settled(task: Task) -> StepResult:
    begun = time.monotonic()
    named = task.step.reason is not None and task.step.reason.theorem is not None
    try:
        with timed(_seconds(task)):
            with timed(portion(_BEFORE_WHAT_IS_NAMED if named else 1.0)):
                decision = _alone(task)
            decision = _with_hints(task, decision)
            if named and decision.verdict in (Verdict.OPEN, Verdict.SUPPORTED) and not over():
                longer = _alone(task)
                decision = decision if longer.verdict in (Verdict.OPEN, Verdict.SUPPORTED) else longer
            if decision.verdict is Verdict.REFUTED and task.step.readings > 1:
                decision = _in_every_reading(task, decision)
    except EmptyDomain as error:
        decision = replace(OPEN, why=f"no point satisfies the conditions: {error}")
    except (OverflowError, MemoryError, RecursionError) as error:
        decision = replace(OPEN, why=f"beyond what can be computed: {type(error).__name__}")
    except Exception as error:  # a defect in one step must not take the others with it
        if isinstance(error, SystemError) and comes_from(error):
            raise
        decision = replace(OPEN, why=f"internal error, a defect of dpsym: {type(error).__name__}: {str(error)[:300]}")
    return StepResult(task.step, replace(decision, seconds=time.monotonic() - begun))


def _in_every_reading(task: Task, decision: Decision) -> Decision:
    """What fails where one reading of it does; open where another one may hold."""
    asked = task.inference
    for number, claim in enumerate(asked.claims):
        one = replace(asked, claims=(claim,), needs=())  # what the others need is nothing against it
        with timed(portion(1 / (len(asked.claims) - number))):
            found = under_laws(one, task.distributions, task.named)
        if found.verdict is not Verdict.REFUTED:
            return replace(OPEN, why="in one of its readings it fails, in another it may hold")
    return decision


def _alone(task: Task) -> Decision:
    """Without the author's hints; by the laws of chance where it speaks of them."""
    with timed(portion(1.0 if task.chance is None else _WITHOUT_LAWS)):
        decision = under_laws(task.inference, task.distributions, task.named)
    return decision if task.chance is None or is_certain(decision) else _by_laws(task, task.chance, decision)


def under_laws(asked: Inference, distributions: Distributions, named: Iterable[sp.Symbol] = ()) -> Decision:
    """Decided with the values of what the declared distributions determine; `named` are quantities of unknown laws.

    Raises:
        EmptyDomain: when no point satisfies the hypotheses.
    """
    if asked.refusal:
        return replace(OPEN, why=asked.refusal)
    start = _admissible(asked)
    if not all(map(is_certain, start)):
        return weakest(start)
    assume, premises, claims = asked.hypotheses, list(asked.premises), list(asked.claims)

    def both(premises: list[Relation], claims: list[Relation], share: float) -> Decision:
        with timed(portion(share)):
            decisions = [*start, *_each(claims, premises, asked, distributions)]
            if asked.both_ways and not any(d.verdict is Verdict.REFUTED for d in decisions):
                decisions += _each(premises, claims, asked, distributions)
        return _worst(decisions, len(claims) + len(premises) * asked.both_ways > 1)

    def finite(decision: Decision, relations: list[Relation]) -> Decision:
        found = granted(decision, relations, distributions, assume)
        known = (*assume, *asked.facts, *premises)
        sums = sorted({s for c in known for s in c.free_symbols if s.name.startswith("sum_")}, key=str)  # of such
        for relation in relations if named and is_certain(found) else ():
            if relation not in known and (lost := lost_where_infinite(relation, (*named, *sums), Domain(known))):
                return replace(OPEN, why=f"it fails where {' and '.join(map(str, lost))} is infinite")
        return found

    values = Evaluation(distributions, assume)
    with timed(portion(_EVALUATING)):
        given = [values.of(r) for r in premises]
        # what holds under the premises must not be used to come back to them
        wanted = [replace(values, conditions=assume if asked.both_ways else (*assume, *given)).of(r) for r in claims]
    if values.known and any(_between_integrals(r) for r in claims):  # these compare best under the sign
        plain = finite(both(premises, claims, 1 / 4), claims)
        if is_certain(plain):
            return plain
    found = finite(values.worth(both(given, wanted, 1 - _WITHOUT_VALUES if values.known else 1.0)), wanted)
    for claim in wanted if not premises and found.verdict in (Verdict.OPEN, Verdict.SUPPORTED) else ():
        there = at_points(claim, assume, distributions)
        if there.verdict is Verdict.REFUTED:
            return there
    if not values.known or is_certain(found) or found.verdict is Verdict.REFUTED or over():
        return found
    plain = finite(both(premises, claims, 1.0), claims)
    return plain if is_certain(plain) or plain.verdict is Verdict.REFUTED else found


def _by_laws(task: Task, chance: Chance, alone: Decision) -> Decision:
    """With what holds of the quantities in it, whatever they are; what fails for some law is told, and not refuted."""
    known = tuple(dict.fromkeys((*task.inference.hypotheses, *chance.assumed)))
    laws = [law for law in chance.laws if _holds(law, known)]
    several = [laws] if len(laws) > 1 else []
    loose = chance.cases if any(case.total for case in chance.cases) else ()
    cases = tuple(case.of_one for case in chance.cases)
    attempts: list[tuple[list[Law], tuple[Masses, ...]]] = [([], loose)] if loose else []
    attempts += [(used, cases) for used in ([], *([law] for law in laws[:_MOST_LAWS]), *several)]
    found = alone
    for number, (used, here) in enumerate(attempts):  # what does not bear on it delays it
        hypotheses = tuple(dict.fromkeys((*known, *(r for law in used for r in law.relations))))
        with timed(portion(1 / (len(attempts) - number))):
            decision = _in_all_cases(task, here, hypotheses)
        found = alone if decision is None else decision
        if is_certain(found):
            names = list(dict.fromkeys(law.name for law in used))
            names += ["the laws of events"] * any(case.table for case in here)
            case = here[0]  # of several the one in which every condition has a positive probability
            said = (*(r for law in used for r in law.relations), *(Relation(s, "=", v) for s, v in case.table.items()))
            given = tuple(dict.fromkeys((*found.given, *map(str, (*said, *case.conditions)))))
            return replace(found, why=f"by {', '.join(names)}: {found.why}" if names else found.why, given=given)
    return _with_law(task, chance, found, known) if found.verdict is Verdict.OPEN else found


def _with_law(task: Task, chance: Chance, found: Decision, known: tuple[Proposition, ...]) -> Decision:
    """With a law of independent variables at which the step fails, where there is one."""
    asked = task.inference
    alone = len(asked.claims) == 1 and not asked.premises and not asked.facts
    against = (law_against(asked.claims[0], *one, known) for one in (chance.sums if alone else ()))
    law = next(filter(None, against), "")
    return replace(found, why=law) if law else found


def _in_all_cases(task: Task, cases: tuple[Masses, ...], hypotheses: tuple[Proposition, ...]) -> Decision | None:
    """Decided in every case of the masses; open, with the point, where it fails in one; None where it is not known."""
    asked, found = task.inference, list[Decision]()
    for number, case in enumerate(cases):
        here = replace(
            asked,
            hypotheses=(*(h.subs(case.table) for h in hypotheses if not _bounds_one_of(case, h)), *case.conditions),
            claims=tuple(r.subs(case.table) for r in asked.claims),
            premises=tuple(r.subs(case.table) for r in asked.premises),
            needs=tuple(n.subs(case.table) for n in asked.needs),
            facts=tuple(f.subs(case.table) for f in asked.facts),
        )
        try:
            with timed(portion(1 / (len(cases) - number))):
                one = under_laws(here, task.distributions, task.named)
        except EmptyDomain:
            continue
        if one.verdict is Verdict.REFUTED and one.witness is not None:
            said = f"the laws of chance do not give it: it fails {_where(case, one.witness)}"
            return replace(OPEN, why=said)
        if not is_certain(one):
            return None
        found.append(one)
    return weakest(found) if found else None


def _bounds_one_of(case: Masses, condition: Proposition) -> bool:
    """Whether it says of a probability that is a sum of masses that it lies between 0 and 1."""
    of_one = isinstance(condition, Relation) and condition.lhs in case.table
    return of_one and (condition.op, condition.rhs) in ((">=", 0), ("<=", 1))  # type: ignore[union-attr]


def _where(case: Masses, witness: Witness) -> str:
    """The point, with the probabilities that the masses there make."""
    at = {sp.Symbol(name): sp.Rational(value) for name, value in witness.point.items()}
    masses = {s for value in case.table.values() for s in value.free_symbols if not s.name.startswith("prob_")}
    values = {**{s: v for s, v in at.items() if s not in masses}, **{s: v.subs(at) for s, v in case.table.items()}}
    said = "at " + ", ".join(f"{s.name} = {value}" for s, value in sorted(values.items(), key=str))
    return said if witness.obligation is None else f"{said}, where it has no value: {witness.obligation} is needed"


def _holds(law: Law, known: tuple[Proposition, ...]) -> bool:
    """Whether the conditions of a law are decided, those on numbers without what is said of families."""
    if not any(isinstance(c.relation, Relation) and members_in(c.relation) for c in law.conditions):
        known = tuple(c for c in known if not members_in(c))
    try:
        return all(
            is_certain(decide(c.relation, (*known, *c.within), needs=c.needs, time_limit=portion(_FOR_A_LAW, LEAST)))
            for c in law.conditions
        )
    except EmptyDomain:
        return False


def _between_integrals(relation: Relation) -> bool:
    return relation.op not in ("=", "!=") and relation.lhs.has(sp.Integral) and relation.rhs.has(sp.Integral)


def _worst(decisions: list[Decision], several: bool) -> Decision:
    worst = weakest(decisions)
    if several and is_certain(worst):
        return replace(worst, why="; ".join(dict.fromkeys(d.why for d in decisions)))
    return worst


def _each(
    claims: Iterable[Relation], premises: Iterable[Relation], asked: Inference, laws: Distributions
) -> list[Decision]:
    """Each claim under the hypotheses and these premises."""
    changing = {s for law in laws.values() if law is not None for s in law.free_symbols}
    claims, premises, found = tuple(claims), tuple(premises), list[Decision]()
    for number, claim in enumerate(claims):
        one = Sequent(claim, asked.hypotheses, asked.needs, asked.facts, changing)
        with timed(portion(1 / (len(claims) - number))):
            if premises and any(map(speaks_of_outputs, (claim, *premises))):
                found.append(_of_outputs(one.under(*premises)))
            else:
                found.append(implied(premises, one) if premises else _relation(one))
    return found


def _of_outputs(asked: Sequent) -> Decision:
    """An implication about outputs, where equal ones are seen to satisfy the premises at some point."""
    numeric = Domain(tuple(k for k in asked.assume if not speaks_of_outputs(k)))
    names = frozenset(asked.claim.free_symbols.union(*(k.free_symbols for k in asked.assume)))
    points = ({s.name: Fraction(int(v.p), int(v.q)) for s, v in p.items()} for p in points_of(numeric, names, 0))
    if not any(of_equal_outputs(asked.assume, point) for point in islice(points, _FEW)):
        return replace(OPEN, why="it was not seen that the premise can hold")
    return _relation(asked)


def _relation(asked: Sequent) -> Decision:
    """Decided alone, then from what was proved before."""
    claim, assume, needs = asked.claim, asked.assume, asked.needs
    numeric = tuple(a for a in assume if not speaks_of_outputs(a))
    if speaks_of_outputs(claim):
        with timed(portion(0.9, LEAST)):
            found = by_outputs(asked)
        if found is not None:
            return found
        if of_unknown_outputs(claim):
            undefined = decide(TRUE, numeric, needs=needs, time_limit=portion(0.9, LEAST))
            if undefined.witness is not None and of_equal_outputs(assume, undefined.witness.point):
                return undefined
            return replace(OPEN, why="it was not shown from what is assumed of the outputs")
    elif len(numeric) < len(assume):
        others = tuple(e for e in asked.earlier if not speaks_of_outputs(e))
        found = _relation(replace(asked, assume=_connected(numeric, (claim, *needs)), earlier=others))
        if found.witness is not None and not of_equal_outputs(assume, found.witness.point):
            return replace(OPEN, why=f"{found.why}, where perhaps no outputs are as assumed")
        return found
    usable = [e for e in asked.earlier if _speaks_of(e, claim)]
    alone = decide(claim, assume, needs=needs, time_limit=portion(0.6 if usable else 0.9, LEAST))
    if is_certain(alone) or alone.verdict is Verdict.REFUTED:
        return alone
    if usable and not over():
        try:
            found = decide(claim, (*assume, *usable), needs=needs, time_limit=portion(0.9, LEAST))
        except EmptyDomain:  # a true relation contradicts the conditions only where those are empty themselves
            return alone
        if is_certain(found):
            return replace(found, why=f"with what was shown before ({'; '.join(map(str, usable))}): {found.why}")
    return alone


def _connected(conditions: Sequence[Proposition], claims: tuple[Relation | Need, ...]) -> tuple[Proposition, ...]:
    """Those that share a symbol with the claims, or with one that does; the others say nothing of them."""
    symbols = set[sp.Symbol]().union(*(c.free_symbols for c in claims))
    found, _ = reached(symbols, [c.free_symbols for c in conditions])
    return tuple(c for n, c in enumerate(conditions) if n in found)


def _speaks_of(fact: Relation, claim: Relation) -> bool:
    """Whether it shares a side with the claim, or is a bound on one of its symbols."""
    sides = {fact.lhs, fact.rhs}
    return bool(sides & {claim.lhs, claim.rhs}) or (
        any(isinstance(s, sp.Symbol) for s in sides) and fact.free_symbols <= claim.free_symbols
    )


def answered(inference: Inference, distributions: Distributions, seconds: float) -> Decision:
    """An inference without premises, decided by itself."""
    try:
        with timed(seconds):
            return weakest(_each(inference.claims, (), inference, distributions))
    except EmptyDomain as error:
        return replace(OPEN, why=f"no point satisfies the conditions: {error}")


def _admissible(asked: Inference) -> list[Decision]:
    """Whether the chosen values are defined, and meet the conditions on their symbols; none where none is chosen."""
    numeric = tuple(c for c in (*asked.hypotheses, *asked.facts) if not speaks_of_outputs(c))
    found = [decide(Relation(v, "=", v), numeric, time_limit=portion(0.2, LEAST)) for v in asked.values]
    for condition in asked.admissible:
        if isinstance(condition, IsInteger) and is_integral(condition.expression, integers_among(numeric)):
            continue
        if not isinstance(condition, Relation):
            found.append(replace(OPEN, why=f"{condition} was not shown"))
            continue
        one = decide(condition, numeric, time_limit=portion(0.3, LEAST))
        why = f"the value is not admissible, {condition} is needed: {one.why}"
        found.append(one if is_certain(one) else replace(one, why=why))
    return found


def _with_hints(task: Task, decision: Decision) -> Decision:
    reason = task.step.reason
    if reason is None or is_certain(decision) or decision.verdict is Verdict.REFUTED or task.inference.refusal:
        return decision
    start = _admissible(task.inference)
    if not all(map(is_certain, start)):
        return decision
    if reason.theorem is not None:
        applied = by_theorem(reason.theorem, task.inference)
        if applied is not None:
            return weakest([applied, *start])
        return replace(decision, why=f"{decision.why}; {reason.theorem} does not give this step")
    if reason.citation is not None and has_values(task.inference, _FOR_VALUES * task.time_limit):
        why = f"{reason.citation} (not decided here: {decision.why})"
        with timed(_FOR_VALUES * task.time_limit):
            points = decision.points or _seen_to_hold(task)
        return Decision(Verdict.CITED, Method.CITATION, why, points=points)
    return decision


def _seen_to_hold(task: Task) -> int:
    """At how many points what is said of declared distributions was seen to hold."""
    asked = task.inference
    known = tuple(c for c in (*asked.hypotheses, *asked.premises) if not speaks_of_outputs(c))
    return min((at_points(claim, known, task.distributions).points for claim in asked.claims), default=0)


def _advice(task: Task, decision: Decision) -> str | None:
    """How the step would become true; of several relations, or an equivalence, nothing is said."""
    step, asked = task.step, task.inference
    if len(step.claim) != 1 or step.both_ways or asked.refusal:
        return None
    try:
        if not all(map(is_certain, _admissible(asked))):
            return None
        assume, premises, written, needs = asked.hypotheses, asked.premises, asked.claims[0], asked.needs
        claim = Evaluation(task.distributions, (*assume, *premises)).of(written)

        def prove(candidate: Relation, more: tuple[Proposition, ...], seconds: float) -> bool:
            conditions = (*assume, *more)
            try:
                if premises:
                    with timed(seconds):
                        found = implied(premises, Sequent(candidate, conditions, needs))
                else:
                    found = decide(candidate, conditions, needs=needs, time_limit=seconds)
            except EmptyDomain:
                return False
            return is_certain(found)

        return suggestion(Refuted(claim, written, (*assume, *premises), needs, decision, prove))
    except Exception:  # noqa: BLE001 - advice is a courtesy
        return None
