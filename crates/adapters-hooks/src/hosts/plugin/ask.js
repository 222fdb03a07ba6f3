import { spawn } from "node:child_process";

const BEFORE = "tool.execute.before";
const SILENT = "Bailiwick did not answer: refused";
const MOST = 1 << 20;

// Asks about one event, with what else the gate shall find in its environment. Gives what the model shall be told, or fails
// with the reason of a refusal.
function ask(event, told = {}) {
  return new Promise((resolve, reject) => {
    const refuse = (why) => reject(new Error(String(why ?? "").trim() || SILENT));
    const env = { ...process.env, ...told };
    const child = spawn(GATE.program, GATE.arguments, { env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const stop = () => {
      child.kill("SIGKILL");
      refuse();
    };
    // A host that waits no longer than this itself ends the run without a word.
    const limit = setTimeout(stop, GATE.seconds[event.event] * 1000 - 300);
    let said = "";
    let why = "";
    child.stdout.setEncoding("utf8").on("data", (text) => ((said += text).length > MOST ? stop() : undefined));
    child.stderr.setEncoding("utf8").on("data", (text) => ((why += text).length > MOST ? stop() : undefined));
    child.stdin.on("error", () => {});
    child.on("error", () => {
      clearTimeout(limit);
      refuse();
    });
    child.on("close", (code) => {
      clearTimeout(limit);
      if (code !== 0) return refuse(why);
      let answer;
      try {
        answer = JSON.parse(said);
      } catch {
        return refuse();
      }
      if (answer?.verdict === "allow") return resolve(answer.tell);
      refuse(answer?.verdict === "deny" ? answer.reason : "");
    });
    child.stdin.end(JSON.stringify(event));
  });
}

