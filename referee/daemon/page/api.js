// The service's answers, and what it says when it refuses.
export class Refused extends Error {
  constructor(status, text, body) {
    super(text);
    this.status = status;
    this.body = body;
  }
}

export async function ask(method, path, body) {
  const response = await fetch("/api/v1" + path, {
    method,
    headers: body === undefined ? {} : {"Content-Type": "application/json"},
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const type = response.headers.get("Content-Type") || "";
  const answer = type.startsWith("application/json") ? await response.json() : await response.text();
  if (response.ok) return answer;
  const text = answer && answer.error ? answer.error : "the service answers " + response.status;
  throw new Refused(response.status, text, answer);
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, body);
