/**
 * Writes `src/api.ts` from what the built server says of itself: `npm run build`, then
 * `node scripts/run24.mjs packages/client/generate.mjs`. The generator needs a TypeScript with a JavaScript API, which the
 * one of this repository does not have: both are fetched for the moment.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTreadle } from "@treadle/server";

const target = join(import.meta.dirname, "src", "api.ts");
const scratch = mkdtempSync(join(tmpdir(), "treadle-openapi-"));
const run = (command, words) => {
  const { status } = spawnSync(command, words, { cwd: scratch, stdio: ["ignore", "ignore", 2] });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${status}`);
};

const treadle = await createTreadle({ dataDirectory: join(scratch, "data"), env: {} });
try {
  const headers = { host: "localhost", authorization: `Bearer ${treadle.token}` };
  const response = await treadle.fetch(
    new Request("http://localhost/api/openapi.json", { headers }),
  );
  const description = await response.text();
  if (!response.ok) throw new Error(description);
  writeFileSync(join(scratch, "openapi.json"), description);
  const packages = ["-p", "openapi-typescript@7.13.0", "-p", "typescript@5.9.3"];
  run("npx", ["-y", ...packages, "openapi-typescript", "openapi.json", "-o", "api.ts"]);
  const hash = createHash("sha256").update(description).digest("hex");
  const types = readFileSync(join(scratch, "api.ts"), "utf8");
  writeFileSync(
    target,
    `// Made by generate.mjs from /api/openapi.json, sha256 ${hash}.\n${types}`,
  );
  run(process.execPath, [join(import.meta.dirname, "../../node_modules/.bin/oxfmt"), target]);
} finally {
  await treadle.close();
  rmSync(scratch, { recursive: true, force: true });
}
