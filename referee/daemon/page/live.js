// One WebSocket for the whole page. Each match is followed from an event number on; after a break the numbers that were missed are asked
// for, so nothing is missed and nothing is told twice.
const shortest = 500, longest = 10000;

export class Live {
  constructor(onState) {
    this.onState = onState;
    this.matches = new Map();  // id -> {next, onEvents}
    this.onNews = () => {};
    this.wait = shortest;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/api/v1/live`);
    this.socket.onopen = () => {
      this.wait = shortest;
      this.onState("live");
      for (const id of this.matches.keys()) this.ask(id);
      this.onNews("all");
    };
    this.socket.onmessage = (message) => this.hear(JSON.parse(message.data));
    this.socket.onclose = () => {
      this.onState("lost");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(longest, this.wait * 2);
    };
  }

  hear(message) {
    if (message.news) return this.onNews(message.news);
    if (message.subscribed) {
      const match = this.matches.get(message.subscribed);
      if (match) {
        match.next = message.next;
        if (message.lost) match.onLost();
      }
      return;
    }
    if (!message.events) return;
    const match = this.matches.get(message.match);
    if (!match) return;
    const known = Math.max(0, match.next - message.first);
    if (known >= message.events.length) return;
    match.next = message.first + message.events.length;
    match.onEvents(message.events.slice(known));
  }

  ask(id) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({subscribe: id, from: this.matches.get(id).next}));
  }

  follow(id, next, onEvents, onLost) {
    this.matches.set(id, {next, onEvents, onLost});
    this.ask(id);
  }

  leave(id) {
    this.matches.delete(id);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({unsubscribe: id}));
  }
}
