// The page in a real Chromium, against a real daemon with engines that play a known game.
// usage: node page_test.mjs PROGRAM FOLDER [SCREENSHOTS]   (scripts/page-test does the rest)
import assert from "node:assert/strict";
import {spawn, execFileSync} from "node:child_process";
import {existsSync, mkdirSync, rmSync, writeFileSync} from "node:fs";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {chromium} from "playwright-core";

const [program, folder, screenshots = path.join(folder, "screenshots")] = process.argv.slice(2);
const source = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const engine = path.join(source, "tests/engines/slow_engine.py");
// Itself, not a script in front of it that takes a third of a second: 128 engines start at once.
const python = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], {encoding: "utf8"}).trim();
const data = path.join(folder, "data");
rmSync(data, {recursive: true, force: true});
mkdirSync(data, {recursive: true});
mkdirSync(screenshots, {recursive: true});

let daemon = null;
let address = "127.0.0.1:0";
async function start(cores) {
  daemon = spawn(program, ["serve", "--data", data, "--listen", address, "--cores", String(cores)], {stdio: ["ignore", "ignore", "pipe"]});
  let said = "";
  daemon.stderr.setEncoding("utf8");
  await new Promise((resolve, reject) => {
    daemon.stderr.on("data", (text) => {
      said += text;
      const found = said.match(/listening on http:\/\/(\S+)/);
      if (found) address = found[1];
      if (said.includes("ready")) resolve();
    });
    daemon.on("exit", () => reject(new Error("the daemon ended: " + said)));
  });
}
async function stop(signal) {
  const ended = new Promise((resolve) => daemon.removeAllListeners("exit").on("exit", resolve));
  daemon.kill(signal);
  await ended;
}
const client = (command, ...words) => execFileSync(program, [command, "--data", data, ...words], {encoding: "utf8"});
function matchFile(name, games, delay, more = "") {
  const file = path.join(folder, name + ".yaml");
  writeFileSync(file, `event: ${name}\ntime_control: 120+1\nschedule: {kind: match, games: ${games}}\nadjudication: {max_moves: 60}\non_interrupt: continue\n${more}` +
    `engines:\n  - {name: Anna, command: ${python}, arguments: [${engine}, '${delay}']}\n  - {name: Bertha, command: ${python}, arguments: [${engine}, '${delay}']}\n`);
  return file;
}

// Real engines where there are any, for games that differ; and one that stalls at its first move.
const real = ["stockfish", "toga2", "glaurung"].map((name) => "/usr/games/" + name).filter((command) => existsSync(command));
const depths = [2, 3, 4];
const engineLines = (commands) => commands.map((command, i) => `  - {name: ${path.basename(command)}, command: ${command}, limits: {depth: ${depths[i]}}}\n`).join("");

// What a screen reader is told: everything that can be used, and every picture, has a name; and text can be told from its ground.
async function audit(page, what) {
  const session = await page.context().newCDPSession(page);
  const {nodes} = await session.send("Accessibility.getFullAXTree");
  const named = new Set(["button", "link", "textbox", "combobox", "spinbutton", "checkbox", "image", "img", "progressbar", "ProgressIndicator", "timer", "table", "log", "navigation"]);
  const nameless = nodes.filter((node) => !node.ignored && node.role && named.has(node.role.value) && !(node.name && node.name.value.trim()))
    .map((node) => node.role.value);
  assert.deepEqual(nameless, [], what + ": nameless " + nameless.join(", "));
  const live = nodes.flatMap((node) => (node.properties || []).filter((p) => p.name === "live").map((p) => p.value.value)).filter((v) => v === "assertive");
  assert.deepEqual(live, [], what + ": what interrupts a reader");
  await session.detach();
  const faint = await page.evaluate(() => {
    const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return {r, g, b, a}; };
    const light = ({r, g, b}) => [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
      if (![...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !element.getClientRects().length) continue;
      if (element.closest(".unseen, coords, noscript, option")) continue;
      let ground = element;
      while (ground.parentElement && parse(getComputedStyle(ground).backgroundColor).a === 0) ground = ground.parentElement;
      const back = parse(getComputedStyle(ground).backgroundColor);
      const one = light(parse(getComputedStyle(element).color)), two = light(back.a === 0 ? {r: 255, g: 255, b: 255} : back);
      const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
      if (contrast < 4.5) found.push(`${element.tagName}.${element.className} "${element.textContent.slice(0, 30)}" ${contrast.toFixed(2)}`);
    }
    return found;
  });
  assert.deepEqual(faint, [], what + ": faint text");
}

const problems = [];
let expectedBreak = false;
function listen(page) {
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    if (expectedBreak && /WebSocket|ERR_CONNECTION|Failed to fetch|Failed to load/.test(message.text())) return;
    if (/status of (401|409)/.test(message.text())) return;  // asked for: the login, and an order that the Laws forbid
    problems.push(message.text());
  });
  page.on("response", async (response) => {
    if (response.status() >= 500 && response.status() !== 503) problems.push(`${response.url()}: ${await response.text().catch(() => "")}`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(`http://${address}/`) && !request.url().startsWith("data:")) problems.push("external request " + request.url());
  });
}

async function step(name, work) {
  const begun = Date.now();
  await work();
  console.log(`pass  ${name} (${Date.now() - begun} ms)`);
}

await start(2);
const token = execFileSync(program, ["serve", "--data", data, "--new-token", "arbiter", "--name", "desk"], {encoding: "utf8", stdio: ["ignore", "pipe", "ignore"]}).trim();
daemon.kill("SIGHUP");
client("submit", matchFile("Page", 2, 300));
const browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"]});
const context = await browser.newContext({viewport: {width: 1280, height: 900}});
const page = await context.newPage();
page.setDefaultTimeout(30000);
listen(page);
const shot = (name, options = {}) => page.screenshot({path: path.join(screenshots, name + ".png"), ...options});
const verdict = () => page.locator(".tile .verdict").first().textContent();
const changes = async (read, what) => {
  const before = await read();
  for (let i = 0; i < 300; i++) {
    if (await read() !== before) return;
    await page.waitForTimeout(100);
  }
  assert.fail(what + " did not change from " + before);
};

try {
  await step("a token opens the page", async () => {
    await page.goto(`http://${address}/`);
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", {name: "Enter"}).click();
    await page.getByRole("link", {name: /1\. Page/}).waitFor();
    await page.locator("#link", {hasText: "live"}).waitFor();
    await audit(page, "overview");
    await shot("overview");
  });
  await step("a live game's moves arrive and its clocks tick", async () => {
    await page.getByRole("link", {name: /1\. Page/}).click();
    await page.locator(".tile piece").first().waitFor();
    await changes(verdict, "the last move");
    await changes(() => page.locator(".clock.runs").first().textContent().catch(() => ""), "a clock");
    await page.waitForTimeout(1500);
    await audit(page, "match");
    await shot("match");
  });
  await step("the keyboard is enough, and what has the focus keeps it", async () => {
    await page.keyboard.press("Tab");
    for (let i = 0; i < 40 && !await page.evaluate(() => document.activeElement.matches(".tile a")); i++) await page.keyboard.press("Tab");
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("href"));
    const before = await focused();
    assert.match(before, /#\/match\/1\/game\/\d/);
    await changes(verdict, "the last move");
    assert.equal(await focused(), before);
  });
  await step("after a crash of the daemon the page goes on where it was", async () => {
    expectedBreak = true;
    await stop("SIGKILL");
    await page.locator("#link.lost").waitFor();
    await start(2);
    await page.locator("#link", {hasText: /^live$/}).waitFor();
    await changes(verdict, "the last move");
    expectedBreak = false;
  });
  await step("the game viewer shows moves, graphs and earlier positions", async () => {
    await page.locator(".tile a").first().click();
    await page.locator(".moves button").nth(5).waitFor();
    await page.getByRole("button", {name: "to the start"}).click();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(".moves [aria-current]").textContent(), "e4");
    await page.getByRole("button", {name: "to the latest"}).click();
    await page.locator("svg.chart").first().waitFor();
    await page.locator(".moves button").nth(2).focus();
    await changes(() => page.locator(".moves button").count(), "the number of moves");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "d4");
    await audit(page, "game");
    await shot("game", {fullPage: true});
  });
  await step("an arbiter's order on the page changes the game", async () => {
    await page.getByLabel("Order", {exact: true}).first().selectOption("pause");
    await page.getByPlaceholder("reason").fill("a test of the page");
    await page.getByRole("button", {name: "Give the order"}).click();
    await page.locator(".notice.good").first().waitFor();
    await page.locator("#desk-count", {hasText: "1"}).waitFor();
    await page.getByRole("link", {name: /desk/}).click();
    await page.locator(".card .tile").waitFor();
    await shot("desk");
    const desk = JSON.parse(client("arbiter", "--json"));
    assert.equal(desk.length, 1);
    assert.equal(desk[0].phase, "paused");
    await page.getByRole("button", {name: "Give the order"}).click();  // the usual one here: resume
    await page.getByText("Nothing waits for an arbiter").waitFor();
    assert.equal(JSON.parse(client("arbiter", "--json")).length, 0);
  });
  await step("what the Laws forbid is refused with its reason", async () => {
    await page.goto(`http://${address}/#/match/1`);
    await page.locator(".tile a").first().click();
    await page.getByLabel("Order", {exact: true}).first().selectOption("resume");
    await page.getByRole("button", {name: "Give the order"}).click();
    await page.locator(".notice.bad", {hasText: "not interrupted"}).waitFor();
  });
  await step("engines, and nothing that is not there", async () => {
    client("engines", "add", "Anna", "--", engine);
    await page.getByRole("link", {name: "Engines"}).click();
    await page.getByText("sha256").first().waitFor();
    client("engines", "probe", "Anna");
    await page.locator("summary", {hasText: "pass"}).waitFor();
    await page.locator("summary").click();
    await page.getByText("first-answer").or(page.locator("table tbody tr")).first().waitFor();
    await audit(page, "engines");
    await shot("engines");
    await page.goto(`http://${address}/#/match/99`);
    await page.getByText("there is no match 99").waitFor();
    problems.splice(0, problems.length, ...problems.filter((text) => !/status of 404/.test(text)));
  });
  await step("a phone, in the dark", async () => {
    const phone = await browser.newContext({viewport: {width: 390, height: 844}, colorScheme: "dark", deviceScaleFactor: 2, storageState: await context.storageState()});
    const small = await phone.newPage();
    listen(small);
    await small.goto(`http://${address}/#/match/1`);
    await small.locator(".tile piece").first().waitFor();
    const wide = await small.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `the page is ${wide} pixels wide`);
    await small.screenshot({path: path.join(screenshots, "phone.png")});
    await small.locator(".tile a").first().click();
    await small.locator(".moves button").first().waitFor();
    await audit(small, "game on a phone");
    await small.screenshot({path: path.join(screenshots, "phone-game.png"), fullPage: true});
    for (const view of ["", "desk", "ratings", "engines"]) {
      await small.goto(`http://${address}/#/${view}`);
      await small.locator("main h1").waitFor();
      await small.waitForTimeout(300);
      await audit(small, "phone " + view);
      const across = await small.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(across <= 390, `#/${view} is ${across} pixels wide`);
      await small.screenshot({path: path.join(screenshots, `phone-${view || "overview"}.png`)});
    }
    await phone.close();
  });
  if (real.length >= 2) await step("a sequential test of real engines: Elo, LLR against its bounds", async () => {
    const file = path.join(folder, "sprt.yaml");
    writeFileSync(file, `event: Sequential test\ntime_control: 60+1\nsprt: {elo0: 0, elo1: 5, alpha: 0.05, beta: 0.05}\nopenings: {file: ${source}/matches/openings/theory.pgn}\n` +
      `adjudication: {max_moves: 150}\nengines:\n${engineLines(real.slice(0, 2))}`);
    client("submit", "--priority", "50", file);
    await page.goto(`http://${address}/#/match/2`);
    await page.getByText(/LLR -?\d/).waitFor();
    await page.waitForFunction(() => Number((document.body.textContent.match(/(\d+) games counted/) || [0, 0])[1]) >= 12, null, {timeout: 120000});
    await page.locator("svg.chart .bound").first().waitFor({state: "attached"});
    await audit(page, "sequential test");
    await shot("sprt", {fullPage: true});
    client("stop", "2", "--now");
  });
  if (real.length >= 2) await step("a round robin with a faulty engine: crosstable, faults, rating list", async () => {
    const file = path.join(folder, "robin.yaml");
    writeFileSync(file, `event: Round robin\ntime_control: 60+1\nschedule: {kind: round-robin, cycles: 1, games_per_pairing: 2}\nopenings: {file: ${source}/matches/openings/theory.pgn}\n` +
      `adjudication: {max_moves: 120}\nengines:\n${engineLines(real)}  - {name: Faulty, command: ${program}, arguments: [stub, ${source}/tests/engines/crash-while-thinking.txt]}\n`);
    client("submit", "--priority", "60", file);
    await page.goto(`http://${address}/#/match/3`);
    await page.getByRole("heading", {name: "Crosstable"}).waitFor();
    await page.getByRole("heading", {name: "Faults"}).waitFor({timeout: 120000});
    await page.locator(".state", {hasText: "finished"}).waitFor({timeout: 120000});
    await page.locator("details.notice summary").first().click();
    await page.waitForTimeout(1500);
    assert.ok(await page.locator("details.notice[open]").count() > 0, "what was opened is closed again");
    await audit(page, "round robin");
    await shot("robin", {fullPage: true});
    await page.getByRole("link", {name: "Ratings"}).click();
    await page.getByRole("table", {name: "Rating list"}).waitFor();
    await page.getByLabel("Matches").selectOption("3");
    await page.getByLabel("Title").fill("Spring list");
    await audit(page, "ratings");
    await shot("ratings");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", {name: "static page"}).click()]);
    const list = path.join(folder, "ratings.html");
    await download.saveAs(list);
    const published = await context.newPage();
    await published.goto("file://" + list);
    assert.equal(await published.title(), "Spring list");
    assert.equal(await published.locator("tbody tr").count(), real.length + 1);
    assert.equal(await published.locator("script, link").count(), 0);
    await published.screenshot({path: path.join(screenshots, "published.png")});
    await published.close();
  });
  await step("a knockout shows its rounds and its winner, a Swiss tournament its byes", async () => {
    const weak = path.join(folder, "weak.txt");
    writeFileSync(weak, "# protocol uci\n> go\n! exit 1\n");
    const good = (name) => `  - {name: ${name}, command: ${engine}, arguments: ['2']}\n`;
    const bad = (name) => `  - {name: ${name}, command: ${program}, arguments: [stub, ${weak}]}\n`;
    const head = "time_control: 60+1\nadjudication: {max_moves: 2}\nfaults: {withdraw_after: null}\n";
    const submit = (name, rest) => {
      const file = path.join(folder, name + ".yaml");
      writeFileSync(file, `event: ${name}\n${head}${rest}`);
      client("submit", "--priority", "70", file);
      return JSON.parse(client("status", "--json")).at(-1).id;
    };
    const cup = submit("Cup", `schedule: {kind: knockout, tie_breaks: {pairs: 0, then: higher_seed}}\nengines:\n${good("Ada")}${bad("Bea")}${good("Cleo")}${bad("Dora")}`);
    await page.goto(`http://${address}/#/match/${cup}`);
    await page.locator("p", {hasText: "Winner: Ada"}).waitFor();
    const rounds = page.getByRole("table", {name: "Rounds"}).locator("tbody tr");
    assert.deepEqual(await rounds.allTextContents(), ["SemifinalsAdaDora2 – 0Ada", "SemifinalsBeaCleo0 – 2Cleo", "FinalAdaCleo1 – 1Ada as the better seed"]);
    await audit(page, "knockout");
    await shot("knockout", {fullPage: true});
    const open = submit("Open", `schedule: {kind: swiss, rounds: 3, games_per_pairing: 1}\nengines:\n${good("Ada")}${bad("Bea")}${good("Cleo")}`);
    await page.goto(`http://${address}/#/match/${open}`);
    await page.locator("p", {hasText: "Points without play"}).waitFor();
    await page.locator(".state", {hasText: "finished"}).waitFor();
    await page.getByRole("columnheader", {name: "Unplayed"}).waitFor();
    await audit(page, "Swiss tournament");
  });
  await step("64 boards at once", async () => {
    await stop("SIGTERM");
    expectedBreak = true;
    await start(70);
    client("submit", "--priority", "5", matchFile("Many", 200, 1500, "concurrency: 64\n"));
    const many = JSON.parse(client("status", "--json")).at(-1).id;
    await page.goto(`http://${address}/#/match/${many}`);
    await page.locator("#link", {hasText: /^live$/}).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".tile").length >= 64, null, {timeout: 90000});
    expectedBreak = false;
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable", {timeDomain: "threadTicks"});
    const busy = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
    const before = await busy();
    const frames = await page.evaluate(() => new Promise((resolve) => {
      const times = [];
      let last = performance.now();
      const begun = last;
      function frame(now) {
        times.push(now - last);
        last = now;
        if (now - begun < 5000) requestAnimationFrame(frame);
        else resolve(times.sort((a, b) => a - b));
      }
      requestAnimationFrame(frame);
    }));
    const at = (share) => frames[Math.floor((frames.length - 1) * share)];
    console.log(`      ${frames.length} frames in 5 s, median ${at(0.5).toFixed(1)} ms, 95 % ${at(0.95).toFixed(1)} ms, worst ${at(1).toFixed(1)} ms`);
    // Frames depend on what else the machine does; the processor time of the page's own thread does not.
    const after = await busy();
    const share = (name) => (after[name] - before[name]) / 5;
    console.log(`      the page's thread: ${(100 * share("TaskDuration")).toFixed(1)} % busy (script ${(100 * share("ScriptDuration")).toFixed(1)}, ` +
      `style ${(100 * share("RecalcStyleDuration")).toFixed(1)}, layout ${(100 * share("LayoutDuration")).toFixed(1)})`);
    assert.ok(share("TaskDuration") < 0.5, "64 boards keep the page's thread busy");
    assert.ok(frames.length > 20, "the page stands still");
    await shot("many");
  });
  assert.deepEqual(problems, []);
  console.log("pass  no error on the console, no external request");
} catch (error) {
  await shot("failure").catch(() => {});
  console.error(problems);
  throw error;
} finally {
  await browser.close();
  daemon.removeAllListeners("exit");
  daemon.kill("SIGTERM");
}
