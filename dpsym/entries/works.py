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
    "AZ22": Work(
        authors=("Shahab Asoodeh", "Huanyu Zhang"),
        title="Contraction of Locally Differentially Private Mechanisms",
        venue="arXiv:2210.13386",
        year=2022,
        kind="misc",
        url="https://arxiv.org/abs/2210.13386",
    ),
    "AKL21": Work(
        authors=("Naman Agarwal", "Peter Kairouz", "Ziyu Liu"),
        title="The Skellam Mechanism for Differentially Private Federated Learning",
        venue="NeurIPS",
        year=2021,
        url="https://arxiv.org/abs/2110.04995",
    ),
    "AS18": Work(
        authors=("Jordan Awan", "Aleksandra Slavković"),
        title="Differentially Private Uniformly Most Powerful Tests for Binomial Data",
        venue="NeurIPS",
        year=2018,
        url="https://arxiv.org/abs/1805.09236",
    ),
    "ASYKM18": Work(
        authors=(
            "Naman Agarwal",
            "Ananda Theertha Suresh",
            "Felix Yu",
            "Sanjiv Kumar",
            "H. Brendan McMahan",
        ),
        title="cpSGD: Communication-efficient and differentially-private distributed SGD",
        venue="NeurIPS",
        year=2018,
        url="https://arxiv.org/abs/1805.10559",
    ),
    "AV23": Work(
        authors=("Jordan Awan", "Salil Vadhan"),
        title="Canonical Noise Distributions and Private Hypothesis Tests",
        venue="The Annals of Statistics 51(2)",
        year=2023,
        kind="article",
        url="https://arxiv.org/abs/2108.04303",
    ),
    "ACGMMTZ16": Work(
        authors=(
            "Martín Abadi",
            "Andy Chu",
            "Ian Goodfellow",
            "H. Brendan McMahan",
            "Ilya Mironov",
            "Kunal Talwar",
            "Li Zhang",
        ),
        title="Deep Learning with Differential Privacy",
        venue="ACM CCS",
        year=2016,
        url="https://arxiv.org/abs/1607.00133",
    ),
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
    "BH79": Work(
        authors=("Jean Bretagnolle", "Catherine Huber"),
        title="Estimation des densités: risque minimax",
        venue="Zeitschrift für Wahrscheinlichkeitstheorie und verwandte Gebiete 47",
        year=1979,
        kind="article",
    ),
    "BNSSSU16": Work(
        authors=("Raef Bassily", "Kobbi Nissim", "Adam Smith", "Thomas Steinke", "Uri Stemmer", "Jonathan Ullman"),
        title="Algorithmic Stability for Adaptive Data Analysis",
        venue="STOC",
        year=2016,
        url="https://arxiv.org/abs/1511.02513",
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
    "CSS11": Work(
        authors=("T.-H. Hubert Chan", "Elaine Shi", "Dawn Song"),
        title="Private and Continual Release of Statistics",
        venue="ACM Transactions on Information and System Security 14(3)",
        year=2011,
        kind="article",
    ),
    "CT06": Work(
        authors=("Thomas M. Cover", "Joy A. Thomas"),
        title="Elements of Information Theory",
        venue="Wiley, second edition",
        year=2006,
        kind="book",
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
    "DJW13": Work(
        authors=("John C. Duchi", "Michael I. Jordan", "Martin J. Wainwright"),
        title="Local Privacy and Statistical Minimax Rates",
        venue="FOCS",
        year=2013,
        url="https://arxiv.org/abs/1302.3203",
    ),
    "DKMMN06": Work(
        authors=("Cynthia Dwork", "Krishnaram Kenthapadi", "Frank McSherry", "Ilya Mironov", "Moni Naor"),
        title="Our Data, Ourselves: Privacy via Distributed Noise Generation",
        venue="EUROCRYPT",
        year=2006,
    ),
    "DKSTWXZ21": Work(
        authors=(
            "Zeyu Ding",
            "Daniel Kifer",
            "Sayed M. Saghaian N. E.",
            "Thomas Steinke",
            "Yuxin Wang",
            "Yingtai Xiao",
            "Danfeng Zhang",
        ),
        title="The Permute-and-Flip Mechanism is Identical to Report-Noisy-Max with Exponential Noise",
        venue="arXiv",
        year=2021,
        kind="misc",
        url="https://arxiv.org/abs/2105.07260",
    ),
    "DL09": Work(
        authors=(
            "Cynthia Dwork",
            "Jing Lei",
        ),
        title="Differential Privacy and Robust Statistics",
        venue="STOC",
        year=2009,
    ),
    "DMNS06": Work(
        authors=("Cynthia Dwork", "Frank McSherry", "Kobbi Nissim", "Adam Smith"),
        title="Calibrating Noise to Sensitivity in Private Data Analysis",
        venue="TCC",
        year=2006,
    ),
    "DNPR10": Work(
        authors=(
            "Cynthia Dwork",
            "Moni Naor",
            "Toniann Pitassi",
            "Guy N. Rothblum",
        ),
        title="Differential Privacy under Continual Observation",
        venue="STOC",
        year=2010,
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
    "DVGM22": Work(
        authors=("Damien Desfontaines", "James Voss", "Bryant Gipson", "Chinmoy Mandayam"),
        title="Differentially Private Partition Selection",
        venue="Proceedings on Privacy Enhancing Technologies",
        year=2022,
        kind="article",
        url="https://arxiv.org/abs/2006.03684",
    ),
    "EPK14": Work(
        authors=(
            "Úlfar Erlingsson",
            "Vasyl Pihur",
            "Aleksandra Korolova",
        ),
        title="RAPPOR: Randomized Aggregatable Privacy-Preserving Ordinal Response",
        venue="ACM CCS",
        year=2014,
        url="https://arxiv.org/abs/1407.6981",
    ),
    "FHU23": Work(
        authors=(
            "Hendrik Fichtenberger",
            "Monika Henzinger",
            "Jalaj Upadhyay",
        ),
        title="Constant Matters: Fine-grained Error Bound on Differentially Private Continual Observation",
        venue="ICML",
        year=2023,
    ),
    "GAL13": Work(
        authors=("Manuel Gil", "Fady Alajaji", "Tamás Linder"),
        title="Rényi Divergence Measures for Commonly Used Univariate Continuous Distributions",
        venue="Information Sciences 249",
        year=2013,
        kind="article",
    ),
    "GDGK20": Work(
        authors=("Quan Geng", "Wei Ding", "Ruiqi Guo", "Sanjiv Kumar"),
        title="Tight Analysis of Privacy and Utility Tradeoff in Approximate Differential Privacy",
        venue="AISTATS",
        year=2020,
    ),
    "FMT21": Work(
        authors=("Vitaly Feldman", "Audra McMillan", "Kunal Talwar"),
        title="Hiding Among the Clones: A Simple and Nearly Optimal Analysis of Privacy Amplification by Shuffling",
        venue="FOCS",
        year=2021,
        url="https://arxiv.org/abs/2012.12803",
    ),
    "GDPL": Work(
        authors=("Google",),
        title="Privacy Loss Distributions (supplementary material of the differential-privacy library)",
        venue="https://github.com/google/differential-privacy",
        year=2020,
        kind="misc",
        url="https://github.com/google/differential-privacy",
    ),
    "Gor41": Work(
        authors=("Robert D. Gordon",),
        title="Values of Mills' Ratio of Area to Bounding Ordinate and of the Normal Probability Integral "
        "for Large Values of the Argument",
        venue="The Annals of Mathematical Statistics 12(3)",
        year=1941,
        kind="article",
    ),
    "GRS09": Work(
        authors=("Arpita Ghosh", "Tim Roughgarden", "Mukund Sundararajan"),
        title="Universally Utility-Maximizing Privacy Mechanisms",
        venue="STOC",
        year=2009,
    ),
    "GV14": Work(
        authors=("Quan Geng", "Pramod Viswanath"),
        title="The Optimal Mechanism in Differential Privacy",
        venue="ISIT",
        year=2014,
        url="https://arxiv.org/abs/1212.1186",
    ),
    "HOTC20": Work(
        authors=(
            "Thomas Humphries",
            "Simon Oya",
            "Lindsey Tulloch",
            "Matthew Rafuse",
            "Ian Goldberg",
            "Urs Hengartner",
            "Florian Kerschbaum",
        ),
        title="Investigating Membership Inference Attacks under Data Dependencies",
        venue="arXiv:2010.12112",
        year=2020,
        kind="misc",
        url="https://arxiv.org/abs/2010.12112",
    ),
    "HT10": Work(
        authors=(
            "Moritz Hardt",
            "Kunal Talwar",
        ),
        title="On the Geometry of Differential Privacy",
        venue="STOC",
        year=2010,
    ),
    "KKMN09": Work(
        authors=("Aleksandra Korolova", "Krishnaram Kenthapadi", "Nina Mishra", "Alexandros Ntoulas"),
        title="Releasing Search Queries and Clicks Privately",
        venue="WWW",
        year=2009,
    ),
    "GV16": Work(
        authors=("Quan Geng", "Pramod Viswanath"),
        title="The Optimal Noise-Adding Mechanism in Differential Privacy",
        venue="IEEE Transactions on Information Theory 62(2)",
        year=2016,
        kind="article",
        url="https://arxiv.org/abs/1212.1186",
    ),
    "KOV15": Work(
        authors=("Peter Kairouz", "Sewoong Oh", "Pramod Viswanath"),
        title="The Composition Theorem for Differential Privacy",
        venue="ICML",
        year=2015,
        url="https://arxiv.org/abs/1311.0776",
        numbering="arXiv",
    ),
    "KOV16": Work(
        authors=("Peter Kairouz", "Sewoong Oh", "Pramod Viswanath"),
        title="Extremal Mechanisms for Local Differential Privacy",
        venue="Journal of Machine Learning Research 17",
        year=2016,
        kind="article",
        url="https://arxiv.org/abs/1407.1338",
    ),
    "KS14": Work(
        authors=("Shiva Prasad Kasiviswanathan", "Adam Smith"),
        title="On the 'Semantics' of Differential Privacy: A Bayesian Formulation",
        venue="Journal of Privacy and Confidentiality 6(1)",
        year=2014,
        kind="article",
        url="https://arxiv.org/abs/0803.3946",
    ),
    "KS98": Work(
        authors=("Michael Kearns", "Lawrence Saul"),
        title="Large Deviation Methods for Approximate Probabilistic Inference",
        venue="UAI",
        year=1998,
    ),
    "LM00": Work(
        authors=("Béatrice Laurent", "Pascal Massart"),
        title="Adaptive Estimation of a Quadratic Functional by Model Selection",
        venue="The Annals of Statistics 28(5)",
        year=2000,
        kind="article",
    ),
    "Liu19": Work(
        authors=("Fang Liu",),
        title="Generalized Gaussian Mechanism for Differential Privacy",
        venue="IEEE Transactions on Knowledge and Data Engineering 31(4)",
        year=2019,
        kind="article",
        url="https://arxiv.org/abs/1602.06028",
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
    "MTZ19": Work(
        authors=("Ilya Mironov", "Kunal Talwar", "Li Zhang"),
        title="Rényi Differential Privacy of the Sampled Gaussian Mechanism",
        venue="arXiv:1908.10530",
        year=2019,
        kind="misc",
        url="https://arxiv.org/abs/1908.10530",
    ),
    "MV16": Work(
        authors=("Jack Murtagh", "Salil Vadhan"),
        title="The Complexity of Computing the Optimal Composition of Differential Privacy",
        venue="TCC",
        year=2016,
        url="https://arxiv.org/abs/1507.03113",
    ),
    "Mir17": Work(
        authors=("Ilya Mironov",),
        title="Rényi Differential Privacy",
        venue="IEEE Computer Security Foundations Symposium",
        year=2017,
        url="https://arxiv.org/abs/1702.07476",
        numbering="arXiv",
    ),
    "MS20": Work(
        authors=(
            "Ryan McKenna",
            "Daniel Sheldon",
        ),
        title="Permute-and-Flip: A New Mechanism for Differentially Private Selection",
        venue="NeurIPS",
        year=2020,
        url="https://arxiv.org/abs/2010.12603",
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
    "NRS07": Work(
        authors=(
            "Kobbi Nissim",
            "Sofya Raskhodnikova",
            "Adam Smith",
        ),
        title="Smooth Sensitivity and Sampling in Private Data Analysis",
        venue="STOC",
        year=2007,
    ),
    "Ren53": Work(
        authors=("Alfréd Rényi",),
        title="On the Theory of Order Statistics",
        venue="Acta Mathematica Academiae Scientiarum Hungaricae 4",
        year=1953,
        kind="article",
    ),
    "Ste22": Work(
        authors=("Thomas Steinke",),
        title="Composition of Differential Privacy & Privacy Amplification by Subsampling",
        venue="arXiv:2210.00597",
        year=2022,
        kind="misc",
        url="https://arxiv.org/abs/2210.00597",
    ),
    "Ste24": Work(
        authors=("Thomas Steinke",),
        title="Tight RDP & zCDP Bounds from Pure DP",
        venue="DifferentialPrivacy.org",
        year=2024,
        kind="misc",
        url="https://differentialprivacy.org/pdp-to-zcdp/",
    ),
    "SV16": Work(
        authors=("Igal Sason", "Sergio Verdú"),
        title="f-Divergence Inequalities",
        venue="IEEE Transactions on Information Theory 62(11)",
        year=2016,
        kind="article",
        url="https://arxiv.org/abs/1508.00335",
    ),
    "Vad17": Work(
        authors=("Salil Vadhan",),
        title="The Complexity of Differential Privacy",
        venue="Tutorials on the Foundations of Cryptography, Springer",
        year=2017,
        kind="incollection",
    ),
    "vEH14": Work(
        authors=("Tim van Erven", "Peter Harremoës"),
        title="Rényi Divergence and Kullback-Leibler Divergence",
        venue="IEEE Transactions on Information Theory 60(7)",
        year=2014,
        kind="article",
        url="https://arxiv.org/abs/1206.2459",
    ),
    "War65": Work(
        authors=("Stanley L. Warner",),
        title="Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias",
        venue="Journal of the American Statistical Association 60(309)",
        year=1965,
        kind="article",
    ),
    "WBLJ17": Work(
        authors=(
            "Tianhao Wang",
            "Jeremiah Blocki",
            "Ninghui Li",
            "Somesh Jha",
        ),
        title="Locally Differentially Private Protocols for Frequency Estimation",
        venue="USENIX Security",
        year=2017,
    ),
    "WZ10": Work(
        authors=("Larry Wasserman", "Shuheng Zhou"),
        title="A Statistical Framework for Differential Privacy",
        venue="Journal of the American Statistical Association 105(489)",
        year=2010,
        kind="article",
    ),
    "ZDW22": Work(
        authors=("Yuqing Zhu", "Jinshuo Dong", "Yu-Xiang Wang"),
        title="Optimal Accounting of Differential Privacy via Characteristic Function",
        venue="AISTATS",
        year=2022,
        url="https://arxiv.org/abs/2106.08567",
    ),
    "ZW19": Work(
        authors=("Yuqing Zhu", "Yu-Xiang Wang"),
        title="Poisson Subsampled Rényi Differential Privacy",
        venue="ICML",
        year=2019,
    ),
}

OWN = frozenset({"dpsym", "given"})  # keys for what is proved here, and for what the user supposes

_VENUE_FIELD = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "book": "publisher"}


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
