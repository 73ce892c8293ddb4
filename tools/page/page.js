"use strict";
// The pages of functions and the search, made of the data in the page. Texts become text nodes, never HTML.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const ROWS = 100;
  const RESULTS = 50;
  const LEFT_OUT = "(left out)";
  const overview = document.getElementById("overview");
  const shown = document.getElementById("function");
  const input = document.getElementById("search");
  const results = document.getElementById("results");
  const found = document.getElementById("found");

  function el(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== ""));
    return made;
  }

  const own = (text) => text || (data.redacted ? LEFT_OUT : "");
  const count = (number) => number.toLocaleString("en");
  const counted = (number) => (number === null ? "not counted" : count(number));
  const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
  const seconds = (value) => (value >= 0.1 ? `${value.toFixed(1)} s` : `${(value * 1e3).toFixed(0)} ms`);
  const bytes = (number) => (number < 1024 ? `${number} bytes` : number < 1048576
    ? `${(number / 1024).toFixed(1)} KiB` : `${(number / 1048576).toFixed(1)} MiB`);

  function numbers(rows) {
    return el("dl", { class: "numbers" }, rows.map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, String(value)))));
  }

  function table(heads, rows, kind = "") {
    const body = el("tbody", {}, rows.slice(0, ROWS).map((row) => row()));
    const made = el("table", { class: `stack ${kind}` }, el("thead", {}, el("tr", {}, heads.map((head) => el("th", {}, head)))), body);
    if (rows.length <= ROWS) return made;
    const more = el("button", { type: "button" }, `Show all ${count(rows.length)}`);
    more.addEventListener("click", () => {
      const first = rows.slice(ROWS).map((row) => body.appendChild(row()))[0];
      more.remove();
      first.tabIndex = -1;
      first.focus();
    });
    return el("div", {}, made, more);
  }

  function cells(heads, values, attributes) {
    return el("tr", attributes, values.map((value, k) => k
      ? el("td", { "data-label": heads[k] }, value) : el("th", { scope: "row" }, value)));
  }

  function details(title, id, make) {
    const made = el("details", { id }, el("summary", {}, title));
    const fill = () => { if (made.childElementCount === 1) made.append(...[make()].flat()); };
    made.addEventListener("toggle", fill);
    made.fill = fill;
    return made;
  }

  const code = (name) => el("pre", {}, el("code", {}, data.texts[name] || LEFT_OUT));

  function mark(letter, number, kind, words) {
    return number ? el("span", { class: `mark ${kind}`, title: `${count(number)} ${words}` }, `${letter}${count(number)}`) : null;
  }

  function sourceLine(line) {
    return el("div", {},
      el("span", { class: "number" }, String(line.number)),
      el("span", { class: "marks" },
        mark("T", line.traced, "traced", "operations traced"),
        mark("B", line.broke, "broke", "graph breaks"),
        mark("S", line.specialised, "specialised", "facts that matter here")),
      el("span", { class: "text" }, own(line.text)));
  }

  function sourcePart(fn) {
    const legend = el("p", { class: "quiet" },
      "T: operations of a graph that were traced from the line. B: graph breaks, as often as calls came by. S: facts that entries are specialised to because of the line.");
    return [legend, ...fn.source.flatMap((block) => [
      el("h3", {}, block.file + (block.whole ? "" : ": other lines with marks")),
      el("div", { class: "listing" }, block.lines.map(sourceLine))])];
  }

  function breakItem(found) {
    return el("li", {},
      el("p", {}, el("span", { class: "mark broke" }, found.code), " ", own(found.what), ` at ${found.at}`),
      found.line ? el("pre", {}, el("code", {}, found.line)) : null,
      el("p", {}, found.why, ". ", el("span", { class: "quiet" }, found.whole
        ? "The whole call runs as plain Python." : "Python runs this, and compiled code what follows.")),
      el("p", {}, `Remedy: ${found.remedy}.`),
      found.passed === null ? null : el("p", { class: "quiet" }, `Calls came by ${plural(found.passed, "time")}.`),
      found.led_to.map((each) => el("p", { class: "quiet" }, `led to: ${each}`)));
  }

  function comparison(fn, compared) {
    const entries = compared.entries.map((k) => fn.entries[k]);
    const heads = ["kind", ...entries.map((entry) => entry.label)];
    return [
      el("p", { class: "quiet" }, `${plural(compared.common, "fact")} in common. Those that differ are in bold.`),
      table(heads, compared.rows.map((row) => () => cells(heads, [row.kind, ...entries.map((_, k) => {
        if (data.redacted) return LEFT_OUT;
        return row.cells[k] ? el("span", { class: "differs" }, row.cells[k]) : el("span", { class: "quiet" }, "no such fact");
      })])), "wide")];
  }

  function entryList(fn, number) {
    const heads = ["entry", "calls served", "compiling", "guards take", "kernels"];
    return table(heads, fn.entries.map((entry, k) => () => cells(heads, [
      el("span", {}, el("a", { href: `#f${number}.e${k}` }, entry.label), entry.resumed ? ", behind a graph break" : ""), counted(entry.served),
      ...(entry.plain ? ["plain Python", "", ""] : [seconds(entry.seconds.total || 0), `${entry.guard_microseconds} µs`, count(entry.kernels.length)])])));
  }

  function guardTable(entry, id) {
    const heads = ["fact", "kind", "cost", "hits", "misses", "checked by", "matters at"];
    return table(heads, entry.guards.map((guard, k) => () => cells(heads, [
      own(guard.fact), guard.kind, `${count(guard.nanoseconds)} ns`, counted(entry.served),
      guard.misses ? el("b", {}, count(guard.misses)) : "0", guard.native ? "plan" : "entry code", guard.at,
    ], { id: `${id}.g${k}`, tabindex: "-1" })));
  }

  function entryPart(entry, id) {
    const total = entry.seconds.total || 0;
    const phases = Object.entries(entry.seconds).filter(([name]) => name !== "total");
    const title = entry.label[0].toUpperCase() + entry.label.slice(1);
    const parts = [
      el("h2", { id, tabindex: "-1" }, title, entry.alike > 1 ? el("span", { class: "quiet" }, ` (${count(entry.alike)} alike)`) : null)];
    if (entry.resumed) parts.push(el("p", { class: "quiet" }, "It begins behind a graph break."));
    if (entry.stale) parts.push(el("p", { class: "remark" }, `stale: ${entry.stale}`));
    if (entry.plain) return [...parts, el("p", {}, "Calls that fit it run as plain Python, after a graph break."), numbers([["calls", counted(entry.served)]]), guardDetails(entry, id)];
    parts.push(numbers([
      ["calls served", counted(entry.served)], ["compiling", seconds(total)], ["guards", `${entry.guard_microseconds} µs`],
      ["steps", count(entry.steps)], ["kernels", count(entry.kernels.length)], ["intermediates", bytes(entry.arena_bytes)],
      ["bytecode traced", plural(entry.instructions, "instruction")]]));
    if (entry.loaded) parts.push(el("p", {}, "Another process has traced it; it was found on disk."));
    if (phases.length) parts.push(el("p", { class: "quiet" }, phases.map(([name, value]) => `${name} ${seconds(value)}`).join(", ")));
    if (entry.inputs.length) parts.push(el("h3", {}, "Inputs"), el("ul", {}, entry.inputs.map((each) => el("li", {}, el("code", {}, each)))));
    if (entry.bindings.length) parts.push(el("p", {}, `Plans for the sizes: ${entry.bindings.join("; ")}`));
    if (entry.backward.length) {
      parts.push(el("h3", {}, "Saved for backward"), el("ul", {}, entry.backward.map((each) => el("li", {},
        `${bytes(each.kept)} kept for backward, ${bytes(each.peak)} at the peak; without saved-tensor hooks ${bytes(each.kept_without_hooks)} and ${bytes(each.peak_without_hooks)}`))));
    }
    parts.push(guardDetails(entry, id));
    if (entry.assumptions.length) {
      const heads = ["assumption", "facts", "examples", "matters at"];
      parts.push(details(plural(entry.assumptions.length, "kind") + " of assumptions, which cost calls nothing", `${id}.a`, () =>
        table(heads, entry.assumptions.map((each) => () =>
          cells(heads, [own(each.kind), count(each.count), own(each.facts.join("; ")), each.at])), "wide")));
    }
    parts.push(...entry.kernels.map((kernel, k) =>
      details(`Kernel ${k + 1}: ${kernel.name}, in ${plural(kernel.uses, "step")}`, `${id}.k${k}`, () => code(kernel.text))));
    if (entry.graph) parts.push(details("Graph", `${id}.graph`, () => code(entry.graph)));
    if (entry.code) parts.push(details("Entry code", `${id}.code`, () => code(entry.code)));
    return parts;
  }

  function guardDetails(entry, id) {
    return details(`${plural(entry.guards.length, "guard")}, the dearest first`, `${id}.g`, () => guardTable(entry, id));
  }

  function functionPage(number) {
    const fn = data.functions[number];
    const all = fn.hits === null ? null : fn.hits + fn.misses + fn.plain_calls;
    const parts = [
      el("h1", { tabindex: "-1" }, fn.name), el("p", { class: "quiet" }, fn.at), el("p", {}, fn.state),
      numbers([
        ["compiles", count(fn.compiles)], ["of these again", count(fn.recompiles)], ["compiling", seconds(fn.seconds)],
        ["hits", counted(fn.hits)], ["misses", counted(fn.misses)], ["in plain Python", counted(fn.plain_calls)],
        ...(all ? [["hit rate", `${(100 * fn.hits / all).toFixed(1)} %`]] : [])])];
    if (fn.uncounted && all !== null) parts.push(el("p", { class: "quiet" }, `The calls of ${plural(fn.uncounted, "function")} like this one are not counted.`));
    if (fn.causes.length) {
      parts.push(el("h2", {}, "Causes"), el("ul", {}, fn.causes.map((k) => {
        const cause = data.causes[k];
        return el("li", {}, el("a", { href: `#c${k}` }, own(cause.expression)), cause.chain ? `: ${cause.chain}` : "", ` (${cause.counts})`);
      })));
    }
    if (fn.breaks.length) parts.push(el("h2", {}, "Graph breaks"), el("ul", {}, fn.breaks.map(breakItem)));
    if (fn.source.length) parts.push(el("h2", {}, "Source"), ...sourcePart(fn));
    if (fn.entries.length > 1) parts.push(el("h2", {}, "Entries"), entryList(fn, number));
    if (fn.unrecorded) parts.push(el("p", { class: "quiet" }, `Of entries made beyond these the record holds the number alone: ${count(fn.unrecorded)}.`));
    if (fn.comparisons.length) parts.push(el("h2", {}, "Entries side by side"), ...fn.comparisons.flatMap((each) => comparison(fn, each)));
    fn.entries.forEach((entry, k) => parts.push(...entryPart(entry, `f${number}.e${k}`)));
    return parts;
  }

  function link(id, number) {
    const made = document.getElementById(id);
    made.hidden = !(number >= 0 && number < data.functions.length);
    made.href = `#f${number}`;
  }

  function reveal(id) {
    const parent = document.getElementById(id.replace(/\.g\d+$/, ".g"));
    if (parent && parent.fill) {
      parent.open = true;
      parent.fill();
    }
    if (!document.getElementById(id) && parent) {
      const more = parent.querySelector("button");
      if (more) more.click();
    }
    const target = document.getElementById(id);
    if (target && target.tagName === "DETAILS") target.querySelector("summary").focus();
    else if (target) target.focus();
    if (target) target.scrollIntoView({ block: "center" });
  }

  let current = -1;
  function route(event) {
    const id = decodeURIComponent(location.hash.slice(1));
    if (id === "main") return;
    const match = /^f(\d+)(\..*)?$/.exec(id);
    const number = match && Number(match[1]) < data.functions.length ? Number(match[1]) : -1;
    if (number >= 0 && number !== current) shown.replaceChildren(...functionPage(number));
    current = number;
    overview.hidden = number >= 0;
    shown.hidden = number < 0;
    link("previous", number >= 0 ? number - 1 : -1);
    link("next", number >= 0 ? number + 1 : -1);
    document.title = `${number >= 0 ? data.functions[number].name : data.title || "guardlift report"} - guardlift report`;
    if (match && match[2] || /^c\d+$/.test(id)) reveal(id);
    else if (event) {
      (number >= 0 ? shown : overview).querySelector("h1").focus();
      window.scrollTo(0, 0);
    }
  }

  let index = null;
  function made() {
    const items = [];
    const add = (what, text, where, id) => text && items.push({ what, text, where, id, lower: `${what} ${text} ${where}`.toLowerCase() });
    data.causes.forEach((cause, k) => add("cause", [cause.expression, cause.chain].filter(Boolean).join(": "), cause.function, `c${k}`));
    data.functions.forEach((fn, n) => {
      add("function", fn.name, fn.at, `f${n}`);
      fn.breaks.forEach((each) => add("break", `${each.code} ${each.what}`, fn.name, `f${n}`));
      fn.source.forEach((block) => block.lines.forEach((line) => add("line", line.text.trim(), `${block.file}:${line.number}`, `f${n}`)));
      fn.entries.forEach((entry, k) => {
        const where = `${fn.name}, ${entry.label}`;
        entry.guards.forEach((guard, g) => add("guard", guard.fact, where, `f${n}.e${k}.g${g}`));
        entry.kernels.forEach((kernel, g) => add("kernel", kernel.name, where, `f${n}.e${k}.k${g}`));
      });
    });
    return items;
  }

  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) {
      results.replaceChildren();
      found.textContent = "";
      return;
    }
    index = index || made();
    const hits = index.filter((item) => words.every((word) => item.lower.includes(word)));
    const more = hits.length > RESULTS ? `, the first ${RESULTS} are shown` : "";
    found.textContent = hits.length ? `${plural(hits.length, "result")}${more}` : "nothing found";
    results.replaceChildren(...hits.slice(0, RESULTS).map((item) => el("li", {},
      el("span", { class: "quiet" }, item.what), " ", el("a", { href: `#${item.id}` }, item.text), " ", el("span", { class: "quiet" }, item.where))));
  }

  function cleared() {
    input.value = "";
    search();
  }

  input.addEventListener("input", search);
  results.addEventListener("click", (event) => { if (event.target.tagName === "A") setTimeout(cleared); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape" && input.value) {
      cleared();
      input.focus();
    }
  });
  window.addEventListener("hashchange", route);
  route(null);
})();
