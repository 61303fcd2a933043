"""The signs that have to stretch (roots, brackets, sums), as a font that a page carries with it.

Where a browser has no font for mathematics, a radical does not cover what is below it.  The font is a subset of Latin
Modern Math under the GUST Font License, renamed as that licence asks; letters are taken from what the reader has.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from importlib.resources import files

_NAME = "LM Math Signs"
_SITE = "LM Math Subset"  # the whole font, which pages of the site have anyway


@cache
def style() -> str:
    """The rules of a style sheet that give every `math` element within `.dpsym`, or of class `dpsym-math`, the font."""
    data = b64encode(files(__package__).joinpath("lm-math-signs.woff2").read_bytes()).decode()
    return (
        f'@font-face {{ font-family: "{_NAME}"; src: url(data:font/woff2;base64,{data}) format("woff2"); }}\n'
        f'.dpsym math, math.dpsym-math {{ font-family: "{_SITE}", "{_NAME}", "Latin Modern Math", "STIX Two Math",'
        ' "Cambria Math", math, serif; }\n'
    )


def carried(html: str) -> str:
    """The piece of HTML with the font, if it has mathematics and not the font already."""
    return f"<style>{style()}</style>{html}" if "<math" in html and _NAME not in html else html
