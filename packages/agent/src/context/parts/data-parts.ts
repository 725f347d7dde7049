import { formatModifications } from "@treadle/dialects/modifications";
import type { DialectName, RunMode } from "@treadle/protocol";
import type { UIMessage } from "ai";
import type { Briefing } from "../briefing/types.ts";
import type { ChangedFile } from "./changed-files.ts";
import { tellMentions } from "../mentions/with-mentions.ts";
import { tellHabits } from "./with-habits.ts";
import { fence } from "../../text/fence.ts";
import { clipMiddle } from "../../text/clip.ts";
import { prose } from "../../text/prose.ts";
import { tellPlanPart } from "./plan-part.ts";
import type { MessagePart } from "../conversation/note-message.ts";
import { tellProblems } from "./with-problems.ts";
import { tellStanding } from "./with-standing.ts";

/**
 * Maximum length of the person's changes in the message, in characters; the rest is in the files.
 */
const CHANGES_LIMIT = 12_000;

/**
 * Changes since the last turn, saved with the person's message so that the history stays the same.
 */
interface ChangesPart {
  type: "data-changes";
  data: ChangedFile[];
}

/**
 * Puts the changes in front of the person's message; returns the same message if there are none.
 */
export function withChanges(message: UIMessage, changes: ChangedFile[]): UIMessage {
  if (changes.length === 0) return message;
  const listed: ChangedFile[] = [];
  let left = CHANGES_LIMIT;
  for (const change of changes) {
    const diff = change.diff.length <= left ? change.diff : "";
    left -= diff.length;
    listed.push({ ...change, diff });
  }
  const part: ChangesPart = { type: "data-changes", data: listed };
  return { ...message, parts: [part, ...message.parts.filter(({ type }) => type !== part.type)] };
}

const BY_PERSON = prose(new URL("./changed-by-person.md", import.meta.url));
const OUTSIDE = prose(new URL("./changed-outside.md", import.meta.url));
const PLAN = prose(new URL("./plan.md", import.meta.url));
const DISCUSS = prose(new URL("./discuss.md", import.meta.url));

/** Adds the mode to the person's message unless it is the default. It is saved with the message. */
export function withMode(message: UIMessage, mode: RunMode): UIMessage {
  if (mode === "act") return message;
  const part: MessagePart = { type: "data-mode", data: mode };
  return { ...message, parts: [...message.parts.filter(({ type }) => type !== part.type), part] };
}

/** A data part as text for the model, in its dialect. */
export function tellDataPart(
  part: { type: string; data: unknown },
  dialect: DialectName,
): { type: "text"; text: string } | undefined {
  if (part.type === "data-mode")
    return { type: "text", text: part.data === "discuss" ? DISCUSS : PLAN };
  if (part.type === "data-habits") return { type: "text", text: tellHabits() };
  if (part.type === "data-briefing") return { type: "text", text: (part.data as Briefing).text };
  const text = tellMentions(part) ?? tellProblems(part) ?? tellStanding(part) ?? tellPlanPart(part);
  if (text !== undefined) return { type: "text", text };
  if (part.type !== "data-changes") return undefined;
  const changes = part.data as ChangedFile[];
  const persons = changes.filter(({ by }) => by !== "outside");
  const others = changes.filter(({ by }) => by === "outside");
  const texts = [
    others.length === 0 ? "" : `${OUTSIDE}\n${fence("changes", differences(others))}`,
    persons.length === 0
      ? ""
      : dialect === "artifact"
        ? artifactChanges(persons)
        : `${BY_PERSON}\n${fence("person-changes", differences(persons))}`,
  ];
  return { type: "text", text: texts.filter(Boolean).join("\n\n") };
}

function differences(changes: ChangedFile[]): string {
  const files = changes.map(({ path, kind, binary, diff }) => {
    const body =
      diff || (binary ? "(not text)" : kind === "removed" ? "" : "(long: read the file)");
    return `${kind} ${path}${body ? `\n${body}` : ""}`;
  });
  return clipMiddle(files.join("\n"), CHANGES_LIMIT * 2);
}

/** The changes as bolt's own block. A change that is too long is only named, and the model reads the file. */
function artifactChanges(changes: ChangedFile[]): string {
  return formatModifications(
    changes.map(({ path, kind, binary, diff }) => {
      if (kind === "removed" || binary) return { path, binary: binary && kind !== "removed" };
      return { path, diff: diff === "" ? "(too long to show)\n" : diff.replace(/\n?$/, "\n") };
    }),
  );
}
