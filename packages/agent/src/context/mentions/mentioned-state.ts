import { judge } from "@treadle/protocol/evidence";
import { evidenceText } from "../../text/evidence-text.ts";
import { plainOutput, visibleText } from "@treadle/protocol/safe-text";
import { openPage } from "../../preview/open-page.ts";
import { pageText } from "../../preview/page-text.ts";
import { TERMINAL_MENTIONED } from "./limits.ts";
import type { ResolveMention } from "./types.ts";

/** Resolves the verdict and the problems in the newest evidence. */
export const mentionedProblems: ResolveMention<"problems"> = async (_mention, context) => {
  const evidence = context.sources?.evidence();
  if (!evidence) return { ok: false, said: "nobody has looked at the project yet" };
  const { verdict, reason } = judge(evidence);
  const old = (await context.workspace.revision()) !== evidence.revision;
  const summary = `${verdict}: ${reason}${old ? " (seen before the files changed)" : ""}`;
  return { ok: true, said: summary, content: evidenceText(evidence, context.now()) };
};

/** Resolves the last lines of a terminal, without escape sequences (A41). */
export const mentionedTerminal: ResolveMention<"terminal"> = async ({ name }, { sources }) => {
  const terminal = await sources?.terminal(name);
  if (!terminal)
    return { ok: false, said: name ? `there is no terminal ${name}` : "there is no terminal" };
  const plain = visibleText(plainOutput(terminal.text)).trimEnd();
  if (plain.trim() === "") return { ok: false, said: `terminal ${terminal.name} is empty` };
  const tail = plain.slice(-TERMINAL_MENTIONED);
  const content = tail.length < plain.length ? tail.slice(tail.indexOf("\n") + 1) : tail;
  const lines = content.split("\n").length;
  return { ok: true, said: `the last ${lines} lines of terminal ${terminal.name}`, content };
};

/** Resolves the content of a page of the running app. */
export const mentionedPreview: ResolveMention<"preview"> = async ({ path = "/" }, context) => {
  const { usePage, workspace, signal } = context;
  if (!path.startsWith("/")) return { ok: false, said: "a page's path begins with /" };
  // The second half of the message is for a model that could start the server; the person gets only
  // the first.
  if (workspace.server?.state !== "up") return { ok: false, said: "the app does not run" };
  const opened = await openPage(path, [], { usePage, workspace, signal });
  if ("refuse" in opened) return { ok: false, said: opened.refuse };
  return { ok: true, said: `the page ${path}`, content: pageText(opened.use) + opened.note };
};
