"""The commands of LaTeX and its usual packages that stand for signs: any other one is a paper's own, and so a name."""

from __future__ import annotations

_OPERATIONS = (
    "pm mp times div ast star circ bullet cdot cap cup uplus sqcap sqcup vee wedge lor land lnot neg setminus"
    " smallsetminus wr diamond triangleleft triangleright oplus ominus otimes oslash odot dagger ddagger amalg"
    " dotplus bigoplus bigotimes bigodot bigcup bigcap bigvee bigwedge biguplus bigsqcup coprod ltimes rtimes"
    " boxplus boxtimes boxminus sum prod int iint iiint oint lim limsup liminf max min sup inf arg det gcd deg dim"
    " hom ker Pr exp log ln lg sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth nabla partial surd"
    " sqrt frac dfrac tfrac cfrac binom dbinom tbinom over choose atop above mod bmod pmod pod"
)
RELATIONS = (
    "le leq leqslant leqq ge geq geqslant geqq ne neq lt gt lneq lneqq lvertneqq gneq gneqq gvertneqq ll gg lll ggg"
    " approx approxeq sim simeq backsim cong equiv propto varpropto asymp"
    " doteq triangleq eqdef defeq lesssim gtrsim lessapprox gtrapprox lessgtr gtrless"
    " prec succ preceq succeq precsim succsim precapprox succapprox preccurlyeq succcurlyeq subset supset subseteq"
    " supseteq subsetneq supsetneq nsubseteq nsupseteq sqsubset sqsupset sqsubseteq sqsupseteq in ni notin owns"
    " nless ngtr nleq ngeq nsim ncong mid nmid parallel nparallel perp bowtie models vdash dashv vDash Vdash smile"
    " frown between pitchfork therefore because colon coloneq coloneqq eqqcolon vcentcolon eqsim circeq bumpeq"
    " Bumpeq trianglelefteq trianglerighteq unlhd unrhd not"
)
_ARROWS = (
    "to gets mapsto longmapsto leftarrow rightarrow leftrightarrow Leftarrow Rightarrow Leftrightarrow"
    " longleftarrow longrightarrow Longleftarrow Longrightarrow Longleftrightarrow longleftrightarrow"
    " hookrightarrow hookleftarrow uparrow downarrow updownarrow Uparrow Downarrow searrow nearrow swarrow nwarrow"
    " leadsto rightsquigarrow implies iff impliedby rightharpoonup leftharpoonup rightleftharpoons xrightarrow"
    " xleftarrow twoheadrightarrow"
)
_OTHERS = (
    "infty emptyset varnothing forall exists nexists top bot angle dots ldots cdots vdots ddots hdots dotsb dotsc"
    " dotsm dotsi prime backslash ldotp cdotp colon complement checkmark square blacksquare Box qed hline cline"
    " multicolumn cases endcases langle rangle lvert rvert lVert rVert vert Vert lfloor rfloor lceil rceil left"
    " right middle substack sideset overset underset stackrel limits nolimits label ref eqref cite citep citet tag"
    " footnote begin end text mathrm mathit mathbf mathbb mathcal operatorname quad qquad hspace vspace color item"
    " par newline newpage includegraphics caption url href"
)
SIGNS = {"=": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}  # by those of the plain notation
MATHEMATICS = frozenset(f"{_OPERATIONS} {RELATIONS} {_ARROWS} infty emptyset forall exists".split())  # not in text
STANDARD = frozenset(f"{_OPERATIONS} {RELATIONS} {_ARROWS} {_OTHERS}".split())
