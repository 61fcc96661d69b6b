// Registered engines, each with its compliance report.
import {get, post} from "../api.js";
import {fill, h, refill, table} from "../dom.js";

function report(engine) {
  if (engine.probing) return h("p", {class: "soft"}, "is being probed …");
  if (!engine.report) return h("p", {class: "soft"}, "not probed yet");
  const counts = {pass: 0, tolerated: 0, fail: 0};
  for (const check of engine.report.checks) counts[check.verdict]++;
  return h("details", {}, h("summary", {}, `${engine.report.engine} (${engine.report.protocol}): ${counts.pass} pass, ${counts.tolerated} tolerated, ${counts.fail} fail`),
    table([["Check"], ["Verdict"], ["Section"], ["Seen"]], engine.report.checks.map((check) => [check.id,
      h("span", {class: {pass: "good", tolerated: "warn", fail: "bad"}[check.verdict]}, check.verdict), check.section, check.seen]), `Compliance of ${engine.name}`));
}

export async function engines(page, main) {
  page.title("Engines");
  const list = h("div");
  async function load() {
    const all = await get("/engines");
    refill(list, all, () => all.length ? all.map((engine) => h("article", {class: "card"}, h("h2", {}, engine.name), engine.command ? h("p", {class: "soft"}, engine.command) : null,
      h("p", {class: "soft"}, "sha256 ", h("code", {style: "overflow-wrap:anywhere"}, engine.sha256)), report(engine),
      page.may("own") && !engine.probing ? h("button", {onclick: () => post(`/engines/${encodeURIComponent(engine.name)}/probe`).then(load), "aria-label": `Probe ${engine.name}`}, "Probe") : null)) :
      h("p", {}, "No engine is registered: ", h("code", {}, "referee engines add NAME -- COMMAND")));
  }
  await load();
  fill(main, h("h1", {}, "Engines"), list);
  return {onNews: (what) => { if (what === "engines" || what === "all") load().catch(() => {}); }};
}
