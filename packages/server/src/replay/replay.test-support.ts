import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatherEvidence, runTurn } from "@treadle/agent";
import { openStore } from "@treadle/store";
import { readTemplate } from "@treadle/workspace";
import { assemble } from "../assemble.ts";
import { systemClock } from "../common/system-clock.ts";
import { FakeDriver } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import { ORIGIN } from "../server.test-support.ts";
import { createPlayer, replayTranscript } from "@treadle/replay";
import type { Transcript } from "@treadle/transcripts";

const INSTALLED =
  "added 24 packages in 1 s (prepared by Treadle, versions as in package-lock.json)\n";

/** Replays a transcript without a sandbox: files are in memory, everything else is as recorded. */
export async function replayWithFakes(transcript: Transcript): Promise<Transcript> {
  const player = createPlayer(transcript);
  const driver = new FakeDriver();
  // Templates are really written: their packages have been prepared.
  driver.perform = (_workspace, command) =>
    command.startsWith("npm install") ? { code: 0, output: INSTALLED } : undefined;
  const dataDirectory = mkdtempSync(join(tmpdir(), "treadle-replay-"));
  const treadle = await assemble(
    { dataDirectory, env: {} },
    {
      store: await openStore({ directory: dataDirectory }),
      driver,
      models: player.models,
      runTurn: (request, ports) =>
        runTurn(request, { ...ports, recorded: player.work, random: () => 0 }),
      gatherEvidence,
      clock: systemClock,
      readTemplate: async (name) => readTemplate(name),
      closers: [],
    },
  );
  try {
    return await replayTranscript(transcript, { ...treadle, url: ORIGIN }, player);
  } finally {
    await treadle.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}
