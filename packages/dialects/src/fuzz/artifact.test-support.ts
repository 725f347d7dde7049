import { createArtifactParser } from "../artifact/parse.ts";
import { readQuickActions } from "../artifact/quick-actions.ts";
import { recoverFences } from "../artifact/recovery.ts";
import { formatArtifact } from "../artifact/serialize.ts";
import { CONTENT, cutsAlike, PROSE } from "./pieces.test-support.ts";
import { differs, Random } from "./random.test-support.ts";

export const ARTIFACT = [
  ...PROSE, "<boltArtifact", ' id="x"', ' title="a > b"', " title='&amp;'", ">", "/>", " >",
  '<boltArtifact id="i" title="t">', "</boltArtifact>", "< /boltArtifact>", "</ boltartifact >",
  '<boltAction type="file" filePath="a.ts">', '<boltAction type="shell">', '<boltAction type="start"/>',
  '<boltAction data-type="x" type=build>', '<boltAction type="supabase" operation="query">',
  '<boltAction type="file" filePath="/etc/x">', '<boltAction type="odd">', "</boltAction>", "</BOLTACTION >",
  "</boltAction", "<bolt", "<boltA", "<bolt-quick-actions>", "</bolt-quick-actions>",
  '<bolt-quick-action type="message" message="m">', "</bolt-quick-action>", "<boltActio", "__proto__",
]; // prettier-ignore

/** Comments, reasoning in other tags, and misspelt tags. */
const ASIDES = [
  ...ARTIFACT, "<!--", "-->", "--", "<thought>", "</thought>", '< bolt-action type="shell">', "</bolt_action>",
  "...", '<boltArtifact id="...">', '<boltAction type="shell" command="ls">',
]; // prettier-ignore
/** Fences with code that may be intended. */
const FENCES = [
  ...PROSE, "```", "```\n", "```js\n", "   ```ts:src/a.ts\n", "````md\n", "```bash\n", "```diff\n", "\n", "\n", " ", "  ",
  "src/a.ts\n", "**README.md**\n", "`b.py`:\n", "# c/d.css\n", "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n",
  "*** Begin Patch\n", "<!doctype html>\n", '<script src="m.js"></script>\n', "npm install\n", "// ... \n", '<boltAction type="shell">',
]; // prettier-ignore
export const checkFences = (seed: number) => checkArtifact(seed, FENCES);
export const checkAsides = (seed: number) => checkArtifact(seed, ASIDES);

/**
 * Opening and closing events balance, indices count up, deltas add up to the content, and chunking
 * does not matter.
 */
export function checkArtifact(
  seed: number,
  fragments: readonly string[] = ARTIFACT,
): string | undefined {
  const random = new Random(seed);
  const text = random.text(fragments, 40);
  const recover = random.below(2) === 1;
  const limits = random.below(8) === 0 ? { tagCharacters: 20, contentCharacters: 10 } : {};
  const { events, problem } = cutsAlike<
    Parameters<Parameters<typeof createArtifactParser>[0]["onEvent"]>[0]
  >(random, text, (onEvent) =>
    createArtifactParser({
      onEvent,
      recover: recover ? recoverFences : undefined,
      quickActions: recover ? readQuickActions : undefined,
      limits,
    }),
  );
  if (problem) return problem;
  let artifact: number | undefined;
  let action: number | undefined;
  let artifacts = 0;
  let actions = 0;
  let deltas = "";
  let out = "";
  for (const event of events) {
    if (event.type === "text") {
      if (artifact !== undefined) return "text inside an artifact";
      out += event.text;
    } else if (event.type === "artifact-open") {
      if (artifact !== undefined || event.artifact !== artifacts++)
        return "artifact-open out of turn";
      artifact = event.artifact;
    } else if (event.type === "artifact-close") {
      if (event.artifact !== artifact || action !== undefined) return "artifact-close out of turn";
      artifact = undefined;
    } else if (event.type === "action-open") {
      if (event.artifact !== artifact || action !== undefined || event.action !== actions++)
        return "action-open out of turn";
      action = event.action;
      deltas = "";
    } else if (event.type === "action-delta") {
      if (event.action !== action) return "action-delta out of turn";
      deltas += event.text;
    } else if (event.type === "action-close") {
      if (event.action !== action) return "action-close out of turn";
      if (event.content !== deltas) return "the deltas are not the content";
      action = undefined;
    }
  }
  if (artifact !== undefined || action !== undefined) return "something was left open";
  if (!/<\s*\/?\s*bolt/i.test(text) && !recover && out !== text)
    return "prose was not given out whole";
  return undefined;
}

/** A formatted artifact is parsed back to the same actions. */
export function checkArtifactRoundTrip(seed: number): string | undefined {
  const random = new Random(seed);
  const actions = Array.from({ length: random.below(4) }, (_, index) => {
    const isFile = random.below(2) === 0;
    const body = random.text(CONTENT, 12).trimEnd();
    if (!isFile)
      return { actionType: random.pick(["shell", "start", "build"]), content: body.trim() };
    const content = body === "" ? "" : `${body}\n`;
    return { actionType: "file", filePath: `src/${index} "<&>'.ts`, content };
  });
  const title = random.text(["a", '"', "'", "<", ">", "&", "&amp;", " b", "="], 8);
  const before = random.text(["word ", "\n", "a < b "], 5);
  const text = before + formatArtifact({ id: `i${seed}`, title, actions });
  const read: unknown[] = [];
  let opened = "";
  const parser = createArtifactParser({
    onEvent: (event) => {
      if (event.type === "artifact-open") opened = event.title;
      if (event.type !== "action-close") return;
      const { actionType, filePath, content, complete } = event;
      read.push({ actionType, filePath, content, complete });
    },
  });
  for (const piece of random.cut(text)) parser.write(piece);
  parser.end();
  const expected = actions.map((action) => ({ ...action, complete: true }));
  if (opened !== title) return `the title ${JSON.stringify(title)} came back as ${opened}`;
  return differs(read, expected);
}
