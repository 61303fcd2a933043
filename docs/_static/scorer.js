// How results of the search are ranked: the page whose name is what was asked for stands first, a mechanism before a
// notion, a theorem or a result of the same words, and pages that only list or log things stand last.  A work stands
// first for its key.
// A result is [page, title, anchor, description, score, file].
const asked = (new URLSearchParams(location.search).get("q") || "").toLowerCase().trim();
const words = asked.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
const KINDS = [
  [/^guides\//, 12], [/^catalogue\/mechanisms\//, 10], [/^catalogue\/definitions\//, 8], [/^glossary/, 7],
  [/^catalogue\/theorems\//, 5], [/^catalogue\/results\//, 4], [/^api\//, -3], [/^decisions\//, -6],
  [/^catalogue\/(?:changes|bibliography|contributing)/, -12], [/^(?:proofs|published-statements|sensitivity-audits)/, -8],
];
var Scorer = {
  score: ([page, title, anchor, , score]) => {
    const name = page.split("/").pop().replace(/[_-]/g, " ");
    const said = title.toLowerCase();
    let rank = score;
    for (const [pattern, worth] of KINDS) if (pattern.test(page)) rank += worth;
    if (name === words.join(" ") || said.split(" > ")[1] === asked) rank += 120;
    else if (!anchor && words.length && words.every((word) => said.includes(word))) rank += 15;
    return rank;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
