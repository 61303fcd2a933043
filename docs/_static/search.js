// What is shown below a result of the search: the paragraph, item or formula that has the words, as it stands on its page.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const LONG = 320; // characters, about a paragraph
  const MOST = 40; // results: each page is fetched for what is shown of it
  const plain = (node) => node.textContent.toLowerCase();

  function shortened(node) {
    node.querySelectorAll("[id]").forEach((inner) => inner.removeAttribute("id"));
    node.querySelectorAll("a").forEach((link) => link.replaceWith(...link.childNodes));
    let room = LONG;
    for (const child of [...node.childNodes]) {
      if (room <= 0) child.remove();
      else if (child.nodeType === Node.TEXT_NODE && child.length > room) child.textContent = child.textContent.slice(0, room) + " …";
      room -= child.textContent.length;
    }
    return node;
  }

  const every = Search._performSearch;
  Search._performSearch = (...query) => {
    const found = every(...query); // the best last
    if (found.length <= MOST) return found;
    const more = document.createElement("p");
    more.textContent = `The best ${MOST} of ${found.length}. More words find fewer pages.`;
    Search.output.before(more);
    return found.slice(-MOST);
  };

  Search.makeSearchSummary = (html, keywords, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const main = page.querySelector("[role=main]") || page.body;
    const root = (anchor && main.querySelector(anchor)) || main;
    const title = main.querySelector("h1");
    const named = title ? plain(title) : "";
    root.querySelectorAll(".headerlink, script, style, details, h1, .toctree-wrapper, .no-search").forEach((x) => x.remove());
    const blocks = [...root.querySelectorAll("p, li, dd, pre")].filter((block) => !block.querySelector("p, li"));
    const sought = [...keywords].map((word) => word.toLowerCase());
    const worth = (block) => sought.filter((word) => plain(block).includes(word)).length;
    const called = !anchor && sought.length > 0 && sought.every((word) => named.includes(word)); // then how it begins
    const best = called ? blocks[0] : blocks.reduce((found, block) => (!found || worth(block) > worth(found) ? block : found), null);
    const summary = document.createElement("div");
    summary.className = "context";
    if (!best) return summary;
    const copy = document.createElement(best.tagName === "PRE" ? "pre" : "p");
    copy.append(...document.importNode(best, true).childNodes);
    summary.append(shortened(copy));
    const formula = best.nextElementSibling;
    if (formula && formula.matches(".display, .math-wrapper")) summary.append(document.importNode(formula, true));
    return summary;
  };
});
