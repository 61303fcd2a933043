"""Which noise: every mechanism that can answer a query under a guarantee, with what its answers are off by.

`question` says what is asked, `calibrated` finds parameters that are certainly enough, `errors` encloses what the noise
then does, and `ranking` puts them in order and says where another one is the first.  Nothing here names a
mechanism: what an entry says of its noise, its parameters and its privacy is all there is to go by.
"""

from dpsym.choosing.calibrated import CannotMeet
from dpsym.choosing.errors import MEASURES, Errors, NoErrors, errors
from dpsym.choosing.question import NotAnswered, Question
from dpsym.choosing.ranking import Candidate, LeftOut, Ranking, Regions, asked, ranking, regions

__all__ = [
    "MEASURES",
    "Candidate",
    "CannotMeet",
    "Errors",
    "LeftOut",
    "NoErrors",
    "NotAnswered",
    "Question",
    "Ranking",
    "Regions",
    "asked",
    "errors",
    "ranking",
    "regions",
]
