export const Bailiwick = async ({ client, directory }) => {
  const actors = new Map(); // who acts in a session, as a promise
  const told = new Map(); // what the model of a session is told from its start, and since the last prompt
  const notes = new Map(); // what is told with the result of a call
  let formats = true; // whether OpenCode may change a file once more behind a tool
  let health; // what OpenCode says of itself, as a promise

  // A sub-agent of OpenCode is a session with a parent.
  async function rootOf(id) {
    for (let depth = 0; depth < 16; depth += 1) {
      const got = await client.session.get({ path: { id } }).catch(() => undefined);
      if (!got?.data?.parentID) break;
      id = got.data.parentID;
    }
    return id;
  }

  async function begin(id) {
    const session = await rootOf(id);
    const who = session === id ? { session, cwd: directory } : { session, agent: id, cwd: directory };
    const start = await ask({ event: who.agent ? "subagent.start" : "session.start", ...who }).catch(() => undefined);
    told.set(id, { start });
    return who;
  }

  function actor(id) {
    if (!actors.has(id)) actors.set(id, begin(id));
    return actors.get(id);
  }

  // The version says how a tool writes, so it is told only where nothing else writes behind it.
  async function writesAs() {
    health ??= Promise.resolve().then(() => client._client.get({ url: "/global/health" }));
    const answer = formats ? undefined : await health.catch(() => undefined);
    return { BAILIWICK_OPENCODE_VERSION: String(answer?.data?.version ?? "") };
  }

  return {
    config: async ({ formatter }) => {
      formats = Boolean(formatter);
    },

    event: async ({ event }) => {
      const id = event.properties?.info?.id ?? event.properties?.sessionID;
      if (event.type !== "session.deleted" || !actors.has(id)) return;
      const who = await actor(id);
      actors.delete(id);
      told.delete(id);
      if (!who.agent) await ask({ event: "session.deleted", ...who }).catch(() => undefined);
    },

    "chat.message": async ({ sessionID }, { parts }) => {
      const who = await actor(sessionID);
      if (who.agent) return;
      const texts = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text);
      // OpenCode shows nobody why a prompt was refused. So the prompt goes on, and its tools are refused with the reason.
      const heard = await ask({ event: "chat.message", ...who, prompt: texts.join("\n") }).then(
        (now) => ({ now }),
        (error) => ({ refused: error.message }),
      );
      told.set(sessionID, { start: told.get(sessionID)?.start, ...heard });
    },

    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const { start, now } = told.get(sessionID) ?? {};
      for (const text of [start, now]) if (text) system.push(text);
    },

    [BEFORE]: async ({ tool, sessionID, callID }, { args }) => {
      const who = await actor(sessionID);
      const { refused } = told.get(who.session) ?? {};
      if (refused) throw new Error(refused);
      const note = await ask({ event: BEFORE, ...who, call: callID, tool, args }, await writesAs());
      if (note) notes.set(callID, note);
    },

    "tool.execute.after": async ({ tool, sessionID, callID, args }, result) => {
      const { display, exit } = result?.metadata ?? {};
      const failed = typeof exit === "number" && exit !== 0;
      const text = result?.output;
      const event = failed ? "tool.execute.failed" : "tool.execute.after";
      const showed = failed ? { error: text } : { output: { display, text } };
      const call = { event, ...(await actor(sessionID)), call: callID, tool, args, ...showed };
      const tell = await ask(call).catch((error) => `Bailiwick could not record this call: ${error.message}`);
      const added = [notes.get(callID), tell].filter(Boolean);
      notes.delete(callID);
      if (added.length > 0 && typeof text === "string") result.output = [text, ...added].join("\n");
    },
  };
};
