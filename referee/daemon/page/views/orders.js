// A form for every order an arbiter can give, made from the service's own list.
import {get, post} from "../api.js";
import {fill, h} from "../dom.js";

let forms = null;

export async function orderForm(page, match, number, usual = null) {
  if (!forms) forms = await get("/orders");
  const choice = h("select", {"aria-label": "Order"}, forms.map((form) => h("option", {value: form.order, selected: form.order === usual}, form.order.replaceAll("_", " "))));
  const fields = h("span", {class: "row"}), does = h("p", {class: "soft"}), answer = h("div", {role: "status"});
  const inputs = {};

  function change() {
    const form = forms.find((f) => f.order === choice.value);
    const takes = new Set(form.takes.replaceAll("[", "").replaceAll("]", "").split(" ").filter((word) => word));
    for (const name of Object.keys(inputs)) delete inputs[name];
    if (takes.has("side")) inputs.side = h("select", {}, ["white", "black", "both"].map((side) => h("option", {value: side}, side)));
    if (takes.has("time_ms")) inputs.time_ms = h("input", {type: "number", min: 0, step: 0.1, placeholder: "seconds", style: "width:7rem"});
    if (takes.has("white_score")) {
      const score = () => h("select", {}, ["0", "0.5", "1"].map((value) => h("option", {value}, value)));
      inputs.white_score = score();
      inputs.black_score = score();
    }
    if (takes.has("text")) inputs.text = h("input", {});
    if (takes.has("flag")) inputs.flag = h("input", {type: "checkbox"});
    inputs.why = h("input", {placeholder: "reason"});
    const names = {side: "Side", time_ms: "Time, s", white_score: "White", black_score: "Black", text: "Text or move", flag: "Flag", why: "Why"};
    fill(fields, Object.entries(inputs).map(([name, input]) => h("label", {}, names[name], input)));
    fill(does, form.does);
  }

  async function give(event) {
    event.preventDefault();
    const order = {order: choice.value};
    for (const [name, input] of Object.entries(inputs)) {
      if (name === "flag") { if (input.checked) order.flag = true; continue; }
      if (input.value === "") continue;
      if (name === "time_ms") order.time_ms = Number(input.value) * 1000;
      else if (name.endsWith("_score")) order[name] = Number(input.value);
      else order[name] = input.value;
    }
    try {
      const result = await post(`/matches/${match}/games/${number}/orders`, order);
      fill(answer, result.rulings.map((r) => h("p", {class: "notice good"}, r.words)));
    } catch (error) {
      const rulings = error.body && error.body.rulings;
      fill(answer, rulings ? rulings.map((r) => h("p", {class: "notice bad"}, r.words)) : h("p", {class: "notice bad"}, error.message));
    }
  }

  choice.addEventListener("change", change);
  change();
  return h("section", {"aria-label": "Orders"}, h("h2", {}, "Order of the arbiter"),
    h("form", {class: "form", onsubmit: give}, h("label", {}, "Order", choice), fields, h("button", {class: "primary"}, "Give the order")), does, answer);
}
