import { createCounter, type Count } from "./count.ts";
import { apply, type Trace } from "./trace.ts";

/** Characters of the shortest of its prompts (they have 11,000 to 31,000). */
const PROMPT = 11_000;

/**
 * bolt.diy's protocol: the prompt, then all files of the project as an artifact, then the
 * conversation. The answer contains each changed file completely. Omitted in its favour: its other
 * two calls per turn (a summary, a choice of files), the command that ends it, and the file
 * contents in its older answers.
 */
export function countBolt({ files, turns }: Trace): Count {
  const count = createCounter();
  const prompt = "p".repeat(PROMPT);
  const messages: string[] = [];
  let now = files;
  for (const turn of turns) {
    messages.push(`user: ${turn.say}`);
    const map = artifact("All files", now, Object.keys(now).sort());
    const request = `${prompt}\n${map}\n${messages.join("\n")}`;
    now = apply(now, turn);
    const changed = turn.edits.map(({ path }) => path);
    count.add(request, `${turn.intro}\n${artifact("The change", now, changed)}\n${turn.done}`);
    const names = changed.map((path) => `<boltAction type="file" filePath="${path}">...`);
    messages.push(`assistant: ${turn.intro}\n${names.join("\n")}\n${turn.done}`);
  }
  return count;
}

function artifact(title: string, files: Record<string, string>, paths: string[]): string {
  const actions = paths.map(
    (path) => `<boltAction type="file" filePath="${path}">\n${files[path]}</boltAction>`,
  );
  return `<boltArtifact id="app" title="${title}">\n${actions.join("\n")}\n</boltArtifact>`;
}
