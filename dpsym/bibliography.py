"""The works that statements are taken from, by the key that a `Source` names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A publication; `numbering` says which version's theorem numbers the locators use."""

    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    kind: str = "inproceedings"
    url: str = ""
    numbering: str = ""

    def __str__(self) -> str:
        *first, last = self.authors
        names = f"{', '.join(first)} and {last}" if first else last
        return f"{names}. {self.title}. {self.venue}, {self.year}."


WORKS: dict[str, Work] = {
    "BBG20": Work(
        authors=("Borja Balle", "Gilles Barthe", "Marco Gaboardi"),
        title="Privacy Profiles and Amplification by Subsampling",
        venue="Journal of Privacy and Confidentiality 10(1)",
        year=2020,
        kind="article",
    ),
    "BBGHS20": Work(
        authors=("Borja Balle", "Gilles Barthe", "Marco Gaboardi", "Justin Hsu", "Tetsuya Sato"),
        title="Hypothesis Testing Interpretations and Rényi Differential Privacy",
        venue="AISTATS",
        year=2020,
        url="https://arxiv.org/abs/1905.09982",
    ),
    "BDRS18": Work(
        authors=(
            "Mark Bun",
            "Cynthia Dwork",
            "Guy N. Rothblum",
            "Thomas Steinke",
        ),
        title="Composable and Versatile Privacy via Truncated CDP",
        venue="STOC",
        year=2018,
    ),
    "BS16": Work(
        authors=("Mark Bun", "Thomas Steinke"),
        title="Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds",
        venue="TCC",
        year=2016,
        url="https://arxiv.org/abs/1605.02065",
        numbering="arXiv",
    ),
    "BW18": Work(
        authors=("Borja Balle", "Yu-Xiang Wang"),
        title="Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising",
        venue="ICML",
        year=2018,
        url="https://arxiv.org/abs/1805.06530",
    ),
    "CKS20": Work(
        authors=("Clément L. Canonne", "Gautam Kamath", "Thomas Steinke"),
        title="The Discrete Gaussian for Differential Privacy",
        venue="NeurIPS",
        year=2020,
        url="https://arxiv.org/abs/2004.00010",
        numbering="arXiv",
    ),
    "CR21": Work(
        authors=(
            "Mark Cesar",
            "Ryan Rogers",
        ),
        title="Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for Data Analytics",
        venue="ALT",
        year=2021,
        url="https://arxiv.org/abs/2004.07223",
    ),
    "DDR20": Work(
        authors=(
            "Jinshuo Dong",
            "David Durfee",
            "Ryan Rogers",
        ),
        title="Optimal Differential Privacy Composition for Exponential Mechanisms",
        venue="ICML",
        year=2020,
        url="https://arxiv.org/abs/1909.13830",
    ),
    "DKMMN06": Work(
        authors=("Cynthia Dwork", "Krishnaram Kenthapadi", "Frank McSherry", "Ilya Mironov", "Moni Naor"),
        title="Our Data, Ourselves: Privacy via Distributed Noise Generation",
        venue="EUROCRYPT",
        year=2006,
    ),
    "DMNS06": Work(
        authors=("Cynthia Dwork", "Frank McSherry", "Kobbi Nissim", "Adam Smith"),
        title="Calibrating Noise to Sensitivity in Private Data Analysis",
        venue="TCC",
        year=2006,
    ),
    "DR14": Work(
        authors=("Cynthia Dwork", "Aaron Roth"),
        title="The Algorithmic Foundations of Differential Privacy",
        venue="Foundations and Trends in Theoretical Computer Science 9(3-4)",
        year=2014,
        kind="article",
    ),
    "DR19": Work(
        authors=(
            "David Durfee",
            "Ryan Rogers",
        ),
        title="Practical Differentially Private Top-k Selection with Pay-what-you-get Composition",
        venue="NeurIPS",
        year=2019,
        url="https://arxiv.org/abs/1905.04273",
    ),
    "DRS22": Work(
        authors=("Jinshuo Dong", "Aaron Roth", "Weijie J. Su"),
        title="Gaussian Differential Privacy",
        venue="Journal of the Royal Statistical Society Series B 84(1)",
        year=2022,
        kind="article",
        url="https://arxiv.org/abs/1905.02383",
        numbering="arXiv",
    ),
    "DRV10": Work(
        authors=("Cynthia Dwork", "Guy N. Rothblum", "Salil Vadhan"),
        title="Boosting and Differential Privacy",
        venue="FOCS",
        year=2010,
    ),
    "GDPL": Work(
        authors=("Google",),
        title="Privacy Loss Distributions (supplementary material of the differential-privacy library)",
        venue="https://github.com/google/differential-privacy",
        year=2020,
        kind="misc",
        url="https://github.com/google/differential-privacy",
    ),
    "GRS09": Work(
        authors=("Arpita Ghosh", "Tim Roughgarden", "Mukund Sundararajan"),
        title="Universally Utility-Maximizing Privacy Mechanisms",
        venue="STOC",
        year=2009,
    ),
    "KOV15": Work(
        authors=("Peter Kairouz", "Sewoong Oh", "Pramod Viswanath"),
        title="The Composition Theorem for Differential Privacy",
        venue="ICML",
        year=2015,
        url="https://arxiv.org/abs/1311.0776",
        numbering="arXiv",
    ),
    "LSJK22": Work(
        authors=("Yi Liu", "Ke Sun", "Bei Jiang", "Linglong Kong"),
        title="Identification, Amplification and Measurement: A Bridge to Gaussian Differential Privacy",
        venue="NeurIPS",
        year=2022,
        url="https://arxiv.org/abs/2210.09269",
    ),
    "McS09": Work(
        authors=("Frank McSherry",),
        title="Privacy Integrated Queries: An Extensible Platform for Privacy-Preserving Data Analysis",
        venue="SIGMOD",
        year=2009,
    ),
    "Mir17": Work(
        authors=("Ilya Mironov",),
        title="Rényi Differential Privacy",
        venue="IEEE Computer Security Foundations Symposium",
        year=2017,
        url="https://arxiv.org/abs/1702.07476",
        numbering="arXiv",
    ),
    "MT07": Work(
        authors=(
            "Frank McSherry",
            "Kunal Talwar",
        ),
        title="Mechanism Design via Differential Privacy",
        venue="FOCS",
        year=2007,
    ),
    "Ste24": Work(
        authors=("Thomas Steinke",),
        title="Tight RDP & zCDP Bounds from Pure DP",
        venue="DifferentialPrivacy.org",
        year=2024,
        kind="misc",
        url="https://differentialprivacy.org/pdp-to-zcdp/",
    ),
    "Vad17": Work(
        authors=("Salil Vadhan",),
        title="The Complexity of Differential Privacy",
        venue="Tutorials on the Foundations of Cryptography, Springer",
        year=2017,
        kind="incollection",
    ),
    "War65": Work(
        authors=("Stanley L. Warner",),
        title="Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias",
        venue="Journal of the American Statistical Association 60(309)",
        year=1965,
        kind="article",
    ),
    "WZ10": Work(
        authors=("Larry Wasserman", "Shuheng Zhou"),
        title="A Statistical Framework for Differential Privacy",
        venue="Journal of the American Statistical Association 105(489)",
        year=2010,
        kind="article",
    ),
}

OWN = frozenset({"dpsym", "given"})  # keys for what is proved here, and for what the user supposes

_VENUE_FIELD = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}


def bibtex(key: str) -> str:
    """The work as a BibTeX entry.

    Raises:
        KeyError: for a key that no work has.
    """
    work = WORKS[key]
    fields = {
        "author": " and ".join(work.authors),
        "title": f"{{{work.title}}}",
        _VENUE_FIELD.get(work.kind, "howpublished"): work.venue,
        "year": str(work.year),
        "url": work.url,
    }
    body = "".join(f"  {name} = {{{_escaped(value)}}},\n" for name, value in fields.items() if value)
    return f"@{work.kind}{{{key},\n{body}}}"


def _escaped(text: str) -> str:
    return text.replace("&", r"\&")
