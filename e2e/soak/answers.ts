/**
 * `npm run soak answers`: how many of the collected answers come out as a careful person reads them, through the parsers that
 * `treadle parse` and runs use, in pieces of seven characters. With `SOAK_BEFORE`, the path of a built checkout of an earlier
 * version, that one beside this: read to the letter there, as it had nothing else.
 */
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { parseAnswer } from "../../apps/cli/src/answers/parse-answer.ts";
import { REAL_ANSWERS } from "../../packages/dialects/src/real-answers.test-support.ts";
import type { RealAnswer } from "../../packages/dialects/src/answer-texts.test-support.ts";

const TOOLS = { write_file: ["path", "content"], run_command: ["command"], write_to_file: ["path", "content"], execute_command: ["command"] }; // prettier-ignore
interface Done {
  files: Record<string, string>;
  commands: string[];
  deleted: string[];
}
type Read = (answer: RealAnswer) => Done;
interface Closed {
  type: string;
  complete?: boolean;
  actionType?: string;
  filePath?: string;
  operation?: string;
  content?: string;
  name?: string;
  params?: Record<string, string>;
}

const nothing = (): Done => ({ files: {}, commands: [], deleted: [] });
const feed = (reader: { write(text: string): void; end(): void }, text: string) => {
  for (let at = 0; at < text.length; at += 7) reader.write(text.slice(at, at + 7));
  reader.end();
};

const now: Read = ({ dialect, text }) => {
  const done = nothing();
  const reader = parseAnswer({ dialect, exact: false }, {
    event(event: Closed) {
      if (event.complete && event.type === "action-close" && /^(?:shell|start|build)$/.test(event.actionType!)) done.commands.push(event.content!);
      if (event.complete && event.params?.["command"] !== undefined) done.commands.push(event.params["command"]);
    },
    changed(change) {
      if (change.type === "delete") done.deleted.push(change.path);
      if (change.type === "write") done.files[change.path] = change.content;
    },
    command: () => {},
    cut: () => {},
    wrong: () => {},
    odd: () => {},
  });
  feed(reader, text);
  return done;
}; // prettier-ignore

/** The parsers of an earlier version, through their own events. */
async function readerOf(checkout: string): Promise<Read> {
  const api = await import(pathToFileURL(join(checkout, "packages/protocol/dist/index.js")).href);
  return ({ dialect, text }) => {
    const done = nothing();
    const onEvent = (event: Closed) => {
      if (!event.complete) return;
      if (event.type === "action-close") {
        if (/^(?:shell|start|build)$/.test(event.actionType!)) done.commands.push(event.content!);
        else if (event.filePath !== undefined) done.files[event.filePath] = event.content!;
      } else if (event.type === "tool-close") {
        const { path, content, command } = event.params!;
        if (command !== undefined) done.commands.push(command);
        if (path !== undefined && content !== undefined)
          done.files[path] = content === "" ? "" : `${content}\n`;
      }
    };
    feed(dialect === "artifact" ? api.createArtifactParser({ recover: true, onEvent }) : api.createToolTagParser({ tools: TOOLS, onEvent }), text); // prettier-ignore
    return done;
  };
}

const sorted = (done: Done) =>
  JSON.stringify([Object.entries(done.files).toSorted(), done.commands, done.deleted]);

function count(name: string, read: Read): void {
  const right = REAL_ANSWERS.filter((answer) => {
    const { files, commands = [], deleted = [] } = answer;
    return (
      sorted(read(answer)) === sorted({ files, commands: [...commands], deleted: [...deleted] })
    );
  });
  const met = (answers: readonly RealAnswer[]) => answers.filter(({ met }) => met !== "not met");
  console.log(`${name}: ${right.length} of ${REAL_ANSWERS.length} as a careful person reads them; of those that were met in public transcripts, ${met(right).length} of ${met(REAL_ANSWERS).length}`); // prettier-ignore
  if (process.env["SOAK_NAMES"])
    for (const one of REAL_ANSWERS) if (!right.includes(one)) console.log(`  not: ${one.shape}`);
}

const before = process.env["SOAK_BEFORE"];
if (before) count("before", await readerOf(before));
count("now", now);
