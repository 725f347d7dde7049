/**
 * Writes `src/api.ts`, which is not committed, from the server's own API description. `npm run
 * build` and `npm run check` run it before compiling anything, so it loads the server from its
 * sources, with the condition `treadle-source`. An unchanged file is not rewritten, so that nothing
 * is compiled again.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTreadle } from "@treadle/server";
import { openapiTypes } from "./openapi-types.ts";

const target = join(import.meta.dirname, "src", "api.ts");
const scratch = mkdtempSync(join(tmpdir(), "treadle-openapi-"));
const treadle = await createTreadle({ dataDirectory: join(scratch, "data"), env: {} });
try {
  const headers = { host: "localhost", authorization: `Bearer ${treadle.token}` };
  const response = await treadle.fetch(
    new Request("http://localhost/api/openapi.json", { headers }),
  );
  const description = await response.text();
  if (!response.ok) throw new Error(description);
  const hash = createHash("sha256").update(description).digest("hex");
  const text = `// Made by generate.mjs from /api/openapi.json, sha256 ${hash}.\n${openapiTypes(JSON.parse(description))}`;
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) writeFileSync(target, text);
} finally {
  await treadle.close();
  rmSync(scratch, { recursive: true, force: true });
}
