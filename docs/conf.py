"""The documentation site: `sphinx-build -W -b html docs docs/_build/html` (the extra `docs`); nothing is fetched."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_extensions"), str(HERE.parent)]

from dpsym import __version__  # noqa: E402 - found by the path above

project = "dpsym"
author = "the dpsym developers"
copyright = author
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "mathml_renderer",
    "docstrings",
    "links",
    "transcript",
    "glossary",
    "published",
    "guides",
    "catalogue_pages",
    "playground",
]
exclude_patterns = ["_build", "_extensions", "_playground", "**/README.txt", "catalogue/_code", "notebooks"]
source_suffix = {".md": "markdown"}
nitpicky = False

myst_enable_extensions = ["dollarmath", "attrs_inline", "attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3
myst_dmath_double_inline = True

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "dpsym"
html_static_path = ["_static"]
html_css_files = ["dpsym.css"]
html_js_files = ["search.js", "tables.js"]
html_search_scorer = str(HERE / "_static" / "scorer.js")
copybutton_prompt_text = r"\$ |>>> |\.\.\. "  # what a command or a program printed is not copied
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
pygments_style = "a11y-high-contrast-light"  # of furo's accessible styles: every colour has 7:1
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5f8a",
        "color-brand-content": "#0b5f8a",
        "color-code-background": "#f3f4f6",
    },
    "dark_css_variables": {"color-brand-primary": "#6cc3f0", "color-brand-content": "#6cc3f0"},
    "top_of_page_buttons": [],
}
