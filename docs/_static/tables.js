// Tables: one that is too wide is set smaller, or where that is not enough becomes a list of its rows; long ones can be
// filtered.
document.addEventListener("DOMContentLoaded", () => {
  const LONG = 20; // rows, about what a screen shows
  const PHONE = "(max-width: 700px)";
  const tables = [...document.querySelectorAll("article table.docutils")].filter((table) => table.tHead && table.tBodies.length);

  for (const table of tables) {
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.innerText.trim());
    for (const row of table.tBodies[0].rows) for (const cell of row.cells) {
      if (heads[cell.cellIndex]) cell.dataset.label = heads[cell.cellIndex];
      cell.classList.toggle("blank", !cell.textContent.trim());
    }
  }
  const fit = () => {
    for (const table of tables) {
      table.classList.remove("stacked", "dense");
      for (const way of matchMedia(PHONE).matches ? ["stacked"] : ["dense", "stacked"]) {
        const around = table.parentElement;
        if (around.scrollWidth > around.clientWidth + 1) table.classList.add(way);
      }
    }
  };
  addEventListener("resize", fit);
  document.addEventListener("toggle", fit, true); // a folded part has no width
  document.fonts.ready.then(fit);

  const long = tables.filter((table) => table.tBodies[0].rows.length > LONG && !table.closest("details"));
  if (!long.length) return;
  const made = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const rows = long.flatMap((table) => [...table.tBodies[0].rows]);
  const words = made("input", { type: "search", autocomplete: "off" });
  const worth = made("select", {}, new Option("every verdict", ""));
  const verdicts = [...new Set(rows.flatMap((row) => [...row.querySelectorAll(".verdict")].map((mark) => mark.innerText)))];
  for (const verdict of verdicts) worth.append(new Option(verdict, verdict));
  const count = made("output", {});
  const filter = () => {
    const sought = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of rows) {
      const said = row.textContent.toLowerCase();
      const marks = [...row.querySelectorAll(".verdict")].map((mark) => mark.textContent);
      row.hidden = !sought.every((word) => said.includes(word)) || (worth.value !== "" && !marks.includes(worth.value));
      left += !row.hidden;
    }
    count.textContent = `${left} of ${rows.length} rows`;
    fit();
  };
  const form = made("form", { className: "filter", role: "search", onsubmit: (event) => event.preventDefault(), oninput: filter },
    made("label", {}, "Filter ", words), ...(verdicts.length > 1 ? [made("label", {}, "Verdict ", worth)] : []), count);
  form.setAttribute("aria-label", "the tables of this page");
  (long[0].closest("section section") ?? long[0].parentElement).before(form);
  filter();
});
