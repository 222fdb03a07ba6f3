// What the page says to Bailiwick. The secret of this page stays in this origin's own storage; the cookie is sent by itself.

const KEPT = "bailiwick-page";

/** Bailiwick does not let this page in any more. */
export class Closed extends Error {}

async function post(path, body, signal, more = {}) {
  const headers = { "content-type": "application/json", ...more };
  const page = localStorage.getItem(KEPT);
  if (page) headers["x-bailiwick-page"] = page;
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal, credentials: "same-origin", cache: "no-store" });
  if (answer.status === 401) throw new Closed();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return answer.json();
}

/** Exchanges the token behind `#`, once, and takes it out of the address. */
export async function enter() {
  const token = location.hash.slice(1);
  if (token === "") return;
  history.replaceState(null, "", "/");
  // The secret of a page that is open stays until the exchange succeeded: any site can lead here with a made-up token.
  const { page } = await post("/api/open", {}, undefined, { "x-bailiwick-link": token });
  localStorage.setItem(KEPT, page);
}

/** Does something, and gives what came of it. */
export function act(action) {
  return post("/api/do", action);
}

/** Follows the board for ever: each new one, each time that Bailiwick falls silent, and when it lets nobody in. */
export async function follow({ onboard, onsilence, onclosed }) {
  let seen = 0;
  let waiting = null;
  const isShown = () => document.visibilityState === "visible";
  // A page that is hidden or shown again says so at once.
  document.addEventListener("visibilitychange", () => waiting?.abort());
  for (;;) {
    waiting = new AbortController();
    try {
      const { number, board } = await post("/api/look", { seen, shown: isShown() }, waiting.signal);
      if (board !== null) onboard(board);
      else onsilence(false);
      seen = number;
    } catch (error) {
      if (error instanceof Closed) return onclosed();
      if (error.name === "AbortError") continue;
      onsilence(true);
      seen = 0;
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}
