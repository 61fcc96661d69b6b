// The page: which view stands in it, the connection's state, the login.
import {ask, get, Refused} from "./api.js";
import {closeTiles} from "./board.js";
import {fill, h, setText} from "./dom.js";
import {Live} from "./live.js";
import {desk} from "./views/desk.js";
import {engines} from "./views/engines.js";
import {game} from "./views/game.js";
import {match} from "./views/match.js";
import {overview} from "./views/overview.js";
import {ratings} from "./views/ratings.js";

const main = document.getElementById("main");
const link = document.getElementById("link");
const said = document.getElementById("said");
const deskCount = document.getElementById("desk-count");

let current = null;  // {onNews, close}
let shown = 0;       // views begun so far: an answer for an older one comes too late

const page = {
  info: {rights: []},
  may: (right) => page.info.rights.includes(right),
  say(text) {
    said.append(h("p", {}, text));
    while (said.childElementCount > 20) said.firstChild.remove();
  },
  title: (text) => { document.title = text ? text + " – referee" : "referee"; },
};

const routes = [
  [/^#?\/?$/, "overview", () => overview(page, main)],
  [/^#\/desk$/, "desk", () => desk(page, main)],
  [/^#\/ratings$/, "ratings", () => ratings(page, main)],
  [/^#\/engines$/, "engines", () => engines(page, main)],
  [/^#\/match\/(\d+)$/, "overview", (m) => match(page, main, Number(m[1]))],
  [/^#\/match\/(\d+)\/game\/(\d+)$/, "overview", (m) => game(page, main, Number(m[1]), Number(m[2]))],
];

async function show() {
  const mine = ++shown;
  if (current && current.close) current.close();
  current = null;
  closeTiles();
  fill(main, h("p", {class: "soft"}, "…"));
  const route = routes.map(([pattern, name, view]) => [location.hash.match(pattern), name, view]).find(([found]) => found);
  for (const a of document.querySelectorAll("nav a")) {
    if (route && a.dataset.page === route[1]) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
  try {
    page.info = await get("");
    if (!page.live) page.live = startLive();
    const view = route ? await route[2](route[0]) : fill(main, h("p", {}, "There is nothing here."));
    if (mine === shown) current = view || null;
    else if (view && view.close) view.close();
  } catch (error) {
    if (mine !== shown) return;
    if (error instanceof Refused && error.status === 401) return login();
    fill(main, h("p", {class: "notice bad", role: "status"}, error.message || String(error)));
    if (!(error instanceof Refused)) setTimeout(() => mine === shown && show(), 2000);  // it is not there: it may come back
  }
}

function startLive() {
  const live = new Live((state) => {
    setText(link, state === "live" ? "live" : "connection lost, trying again");
    link.classList.toggle("lost", state !== "live");
  });
  live.onNews = (what) => {
    if (current && current.onNews) current.onNews(what);
    if (what === "desk" || what === "all") countDesk();
  };
  return live;
}

export async function countDesk() {
  try {
    const waiting = (await get("/desk")).length;
    deskCount.hidden = waiting === 0;
    setText(deskCount, String(waiting));
    deskCount.setAttribute("aria-label", `${waiting} waiting`);
  } catch { /* the view says what is wrong */ }
}

function login() {
  const token = h("input", {type: "password", autocomplete: "current-password", required: true, id: "token"});
  const problem = h("p", {class: "bad", role: "status"});
  fill(main, h("h1", {}, "A token is needed"),
    h("form", {class: "form", onsubmit: async (event) => {
      event.preventDefault();
      try {
        await ask("POST", "/session", {token: token.value.trim()});
        show();
      } catch (error) { setText(problem, error.message); }
    }}, h("label", {}, "Token", token), h("button", {class: "primary"}, "Enter")), problem,
    h("p", {class: "soft"}, "The operator of this service makes tokens: ", h("code", {}, "referee serve --new-token viewer")));
  token.focus();
}

addEventListener("hashchange", () => {
  show();
  main.focus({preventScroll: true});
});
show();
