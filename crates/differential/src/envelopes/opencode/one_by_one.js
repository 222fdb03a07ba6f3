// A model asks for many patches at once, and OpenCode starts them all. This lets one through after another, and says
// when each is over: the tree is looked at before the next one begins.

const over = new Map()
let last = Promise.resolve()

/** An answer may get lost; to be told twice does no harm. */
async function tell(call, tries = 5) {
  const told = fetch(`${process.env.JUDGE}/over/${call}`, { method: "POST", signal: AbortSignal.timeout(2000) })
  await told.catch(() => tries > 1 && tell(call, tries - 1))
}

export const OneByOne = async () => ({
  "tool.execute.before": async ({ callID }) => {
    const turn = last
    last = new Promise((done) => over.set(callID, done))
    await turn
  },
  event: async ({ event }) => {
    const part = event.type === "message.part.updated" ? event.properties.part : undefined
    const done = over.get(part?.callID)
    if (!done || !["completed", "error"].includes(part.state.status)) return
    over.delete(part.callID)
    await tell(part.callID)
    done()
  },
})
