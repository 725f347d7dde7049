/**
 * `npm run soak patterns`: every regular expression that ships, looked through for those that take more than time in
 * proportion to a text (A78). What finds them is another program, recheck@4.5.0 of npm (57 MB):
 * install it elsewhere and name its main file in RECHECK; without it this says so. One that is found is an error, unless what it is given is known to be short.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { root } from "../support/treadle.ts";
import { writtenPatterns } from "./written-patterns.ts";

/** Milliseconds per pattern. */
const TIMEOUT = 10_000;

/** Files whose patterns are applied only to short or trusted texts, and what limits them. */
const BOUNDED: Record<string, string> = {
  "apps/cli/src/arguments/read-arguments.ts": "words of the person's own command line",
  "apps/web/src/language/completion.ts": "256 characters before the cursor",
  "apps/web/src/search/line-match.ts":
    "what the person looks for, 1,000 characters, in lines of 500",
  "apps/web/src/search/result-list.tsx": "the same",
  "apps/web/src/terminal/find-error.ts": "measured to grow with the line",
  "apps/web/src/terminal/find-links.ts": "a line that is pointed at, 4,000 characters: 60 ms",
  "packages/agent/src/tools/write-file.ts": "measured to grow with the text",
  "packages/dialects/src/tool-tags/shown-call.ts": "1,024 characters",
  "packages/client/src/treadle.ts": "an address of the person's own",
  "packages/git/src/address.ts": "an address that the person typed, 2,000 characters",
  "packages/git/src/failure-of-git.ts": "the end of what git printed, 10,000 characters",
  "packages/agent/src/model-call/only-described.ts": "from one < to the next",
  "apps/cli/src/backup/restored-folder.ts": "a path, to its first place that fits",
  "apps/web/src/visual/css-rules.ts": "a selector or a value, 1,000 characters",
  "apps/web/src/visual/files-of-page.ts": "a name of the page, 500 characters",
  "packages/agent/src/dialects/go-on/closing-fence.ts":
    "its last 81 characters, and lines to their end",
  "packages/agent/src/evidence/serve/watcher-crash.ts": "measured to grow with the text",
  "packages/dialects/src/tool-tags/calls-in.ts": "measured to grow with the text",
  "packages/dialects/src/tool-tags/lenient.ts": "64 characters of each part of a name",
  "packages/dialects/src/tool-tags/spelling.ts": "64 characters of each part of a name",
  "packages/workspace/src/host/installation.ts": "a header of Node's own",
  "packages/workspace/src/package-managers/manager-command.ts": "a word of a command, to its end",
  "packages/workspace/src/repositories/named-by-settings.ts": "names of the person's own settings",
  "apps/cli/src/arguments.ts": "words of the person's own command line",
  "apps/web/src/attachments/place-name.ts": "names of files, 255 characters",
  "apps/web/src/conversation/doing-line.tsx": "a line that is shown, cut before",
  "apps/web/src/conversation/end-words.ts": "a sentence of ours",
  "packages/protocol/src/evidence/file-places.ts": "20 parts of 100 characters from each place on",
  "apps/web/src/preview/console-list.tsx": "a stack of a report, 4,000 characters",
  "apps/web/src/preview/crop-picture.ts": "names of files, 255 characters",
  "apps/web/src/preview/preview.tsx": "a path, 4,000 characters",
  "apps/web/src/prompt/use-mentions.ts": "what the person is typing",
  "packages/agent/src/checks/parse-step.ts": "a step, 1,000 characters",
  "packages/agent/src/context/skills/front-matter.ts": "lines, to their end whatever is in them",
  "packages/agent/src/context/todo/todo.ts": "lines, to their end whatever is in them",
  "packages/agent/src/dialects/artifact/open-action.ts": "a tag that was parsed as one",
  "packages/agent/src/dialects/go-on/read-head.ts": "the head of an answer, HEAD_LIMIT characters",
  "packages/agent/src/evidence/build/install.ts": "output, cut before",
  "packages/agent/src/evidence/serve/plain-body.ts":
    "tags of 2,000 characters; spaces were joined before",
  "packages/agent/src/evidence/server-command.ts": "500 characters from each word on",
  "packages/agent/src/evidence/changed/touched-routes.ts": "1,000 characters from each tag on",
  "packages/agent/src/mcp/as-mcp-error.ts": "an answer's first 5,000 characters",
  "packages/agent/src/models/errors/refuses-pictures.ts": "4,000 characters",
  "packages/agent/src/models/errors/refuses-tools.ts": "4,000 characters",
  "packages/agent/src/models/provider-specs.ts": "addresses that the person gave",
  "packages/agent/src/models/sees-pictures.ts": "a name's first 300 characters",
  "packages/agent/src/preview/judge-console.ts": "messages of a report, 2,000 characters",
  "packages/agent/src/project/leaves-behind.ts": "a command: measured to grow with it",
  "packages/agent/src/trust/hooks-changed.ts": "measured to grow with the text",
  "packages/agent/src/trust/plain-settings.ts": "lines of plain letters, to their end",
  "packages/protocol/src/project-path/protected.ts": "parts of a path, 255 characters",
  "packages/agent/src/verdict/failure-signature.ts": "output, cut before",
  "packages/dialects/src/meant/fence.ts": "measured to grow with the text",
  "packages/dialects/src/edits/placeholder.ts": "a line of 200 characters",
  "packages/dialects/src/edits/readings.ts": "measured to grow with the text",
  "packages/dialects/src/artifact/recognize-fence.ts": "measured to grow with the text",
  "packages/dialects/src/tool-tags/foreign-calls.ts":
    "one parameter, whose end is known to be there",
  "packages/browser/src/look/observe.ts": "a stack, cut before",
  "packages/browser/src/look/watch-sockets.ts": "an address, 2,000 characters",
  "packages/tool-servers/src/npm-failure.ts": "the end of a log, 20,000 characters",
  "packages/server/src/page/static-page.ts": "names of our own files",
  "packages/browser/src/source-maps/place-problems.ts": "a stack of a report, 4,000 characters",
  "packages/workspace/src/guest-workspace/data-kind.ts": "names of files, 255 characters",
  "packages/workspace/src/guest-workspace/warm-server.ts": "paths, 4,096 characters",
};

interface Checked {
  status: "safe" | "vulnerable" | "unknown";
  complexity?: { summary: string };
  attack?: { pattern: string };
}
type Check = (source: string, flags: string, options: { timeout: number }) => Checked;

/** Every pattern, literal or concatenated, with its positions. */
function patterns(): Map<string, { source: string; flags: string; places: string[] }> {
  const found = new Map<string, { source: string; flags: string; places: string[] }>();
  const files = globSync(["packages/*/src/**/*.{ts,mjs}", "apps/*/src/**/*.{ts,tsx}"], {
    cwd: root,
    exclude: ["**/*.test.*", "**/*.test-support.*", "**/testing/**", "**/fuzz/**"],
  }).filter(
    (file) =>
      !/^packages\/scripted-model\/|\/attacks\/|-attacks\.ts$|\/taken-attempts\.ts$/.test(file),
  );
  for (const file of files.toSorted()) {
    const text = readFileSync(join(root, file), "utf8");
    const lang = file.endsWith("x") ? "tsx" : file.endsWith(".ts") ? "ts" : "js";
    for (const { source, flags, start } of writtenPatterns(parseAst(text, { lang }, file))) {
      const key = `/${source}/${flags}`;
      const place = `${file}:${text.slice(0, start).split("\n").length}`;
      const known = found.get(key);
      if (known) known.places.push(place);
      else found.set(key, { source, flags, places: [place] });
    }
  }
  return found;
}

async function recheck(): Promise<Check | undefined> {
  const name = process.env.RECHECK ?? "recheck";
  try {
    return ((await import(name)) as { checkSync: Check }).checkSync;
  } catch {
    return undefined;
  }
}

const check = await recheck();
if (!check)
  process.stdout.write(
    "patterns: NOT LOOKED AT (install recheck@4.5.0 elsewhere, RECHECK=…/node_modules/recheck/index.js)\n",
  );
else {
  const all = patterns();
  let found = 0;
  for (const { source, flags, places } of all.values()) {
    // The newer flag for Unicode sets is checked as the older flag for Unicode.
    const { status, complexity, attack } = check(source, flags.replace("d", "").replace("v", "u"), {
      timeout: TIMEOUT,
    });
    if (status === "safe") continue;
    const unbounded = places.filter((place) => !BOUNDED[place.slice(0, place.lastIndexOf(":"))]);
    if (unbounded.length === 0) continue;
    found++;
    process.stdout.write(
      `${unbounded.join(" ")}: ${complexity?.summary ?? status} /${source}/${flags} ${attack?.pattern ?? ""}\n`,
    );
  }
  process.stdout.write(`${all.size} patterns, ${found} that take too long\n`);
  process.exitCode = found === 0 ? 0 : 1;
}
