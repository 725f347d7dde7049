/**
 * F5 and F17 through the whole product: a stalled answer and a hanging install are waited for up to
 * their limits, two minutes each and both at once. `node e2e/soak/waits.ts`. Needs a build.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createScriptedModel } from "@treadle/scripted-model";
import { talkTo } from "../support/talk.ts";
import { timeScript } from "../support/time-script.ts";
import { scriptedBy, startTreadle } from "../support/treadle.ts";

/** A registry that accepts requests and never answers. */
const asking = new Set<Socket>();
const silent = createServer((socket) => void asking.add(socket.on("error", () => {})));
silent.listen(0, "127.0.0.1");
await once(silent, "listening");
const model = await createScriptedModel({ script: timeScript });
const treadle = await startTreadle({
  env: {
    ...scriptedBy(model),
    TREADLE_PREPARE: "none",
    npm_config_registry: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
  },
});

async function saidTo(text: string) {
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  const { id } = (await made.json()) as { id: string };
  return talkTo(
    () => treadle,
    () => id,
  ).sendAndWait(text);
}

try {
  const [stalled, hung] = await Promise.all([saidTo("Stall."), saidTo("Hang.")]);

  // The received part is kept, and the answer is continued automatically.
  assert.equal(stalled.end.outcome, "done");
  assert.ok(stalled.eventsOf("waiting").some(({ reason }) => reason === "retry"));
  const texts = stalled.eventsOf("text").map(({ text }) => text);
  assert.match(texts.join(""), /I think about it/);
  process.stdout.write(
    "F5: taken for cut, what came of it is kept, and it is gone on with by itself\n",
  );

  const [install, next] = hung.eventsOf("call-end");
  assert.equal(install?.status, "error");
  assert.match(install.title, /hung and was ended/);
  assert.match(next?.result ?? "", /^0\nstill here/m);
  assert.equal(hung.end.outcome, "done");
  process.stdout.write("F17: ended with all that it started, told, and the next command worked\n");
} finally {
  await treadle.stop();
  await model.close();
  silent.close();
  for (const socket of asking) socket.destroy();
}
