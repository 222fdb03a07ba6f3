const NOT_ASKED = "Bailiwick could not be asked, so Cline's run ends here: `bailiwick doctor` says why.";

async function check() {
  let text = "";
  for await (const part of process.stdin.setEncoding("utf8")) text += part;
  const { sessionContext, taskId, workspaceRoots } = JSON.parse(text);
  const session = sessionContext?.rootSessionId ?? taskId;
  await ask({ event: "plugin.loaded", session, cwd: workspaceRoots?.[0] ?? process.cwd() });
}

// Cline shows nobody why a run ends, so a person at the terminal is told here.
function tell(why) {
  try {
    writeFileSync(process.platform === "win32" ? "\\\\.\\CONOUT$" : "/dev/tty", `\r\n${why}\r\n`);
  } catch {}
}

function ended(error) {
  let why = error.message;
  try {
    const { message, suggestion } = JSON.parse(why);
    why = `${message} ${suggestion}`;
  } catch {
    why = NOT_ASKED;
  }
  tell(why);
  return { cancel: true, errorMessage: why };
}

const answer = await check().then(() => ({ cancel: false }), ended);
process.stdout.write(JSON.stringify(answer));
