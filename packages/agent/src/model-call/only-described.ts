import { TAG_PATTERNS } from "@treadle/dialects/artifact";
import { unreadCall } from "@treadle/dialects/meant";
import { textOf, type StepRecord } from "./step-record.ts";
import { prose } from "../text/prose.ts";
import { speakArtifacts, type SpokenModel } from "../dialects/spoken-model.ts";

const CALL = prose(new URL("./call-instead.md", import.meta.url));
const TAG = prose(new URL("./tag-instead.md", import.meta.url));

const ACTION_TAG = new RegExp(String.raw`${TAG_PATTERNS.actionBegin}[^<>]*\btype\s*=`, "i");
/** Minimum number of lines of a code block that counts as more than a name or a command in passing. */
const LINES = 3;

/** The advice on how to write an action, by dialect. */
const WRITTEN = {
  artifact:
    'Write each action as <boltAction type="…"> in a <boltArtifact>, on lines of its own: not in thinking that is left open, not in a sentence or a quotation, and in no other spelling. A file is written whole.',
  tags: "Write each call in its tool's tags, on lines of its own: not in thinking that is left open, not in a sentence or a quotation, and for no tool that there is not.",
  native: "Words change nothing: call your tools as they were given to you.",
};

/** The beginning of text that was meant as a call but could not be parsed; undefined if there is none. */
export function unreadIn({ slots }: StepRecord): string | undefined {
  return unreadCall(textOf(slots));
}

/** The note for the model about a call that could not be parsed. */
export function tellUnread(unread: string, { dialect }: SpokenModel): string {
  return `Not carried out: what begins with ${JSON.stringify(unread)}. ${WRITTEN[dialect]} If it was meant, do it now, without explaining; if not, end your turn.`;
}

/**
 * The note, once in a run, for a model that answered with code without calls while nothing was done in the run. A model
 * that only describes again cannot use tool calls: its next turns use the artifact dialect, where fenced code counts.
 * One that wrote that dialect's tags unasked is switched to it immediately.
 * @param wasTold whether the note was already given in this run
 */
export function onlyDescribed(
  { slots }: StepRecord,
  model: SpokenModel,
  wasTold: boolean,
): string | undefined {
  const text = textOf(slots);
  const isTagged = model.dialect !== "artifact" && ACTION_TAG.test(text);
  if (!isTagged && !holdsCode(text)) return undefined;
  if (model.dialect === "native" && (isTagged || wasTold)) speakArtifacts(model);
  if (wasTold) return undefined;
  return model.dialect === "artifact" ? TAG : CALL;
}

/** Whether a fence holds some lines; one that is not closed counts. */
function holdsCode(text: string): boolean {
  let inside: number | undefined;
  for (const line of text.split("\n")) {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (!fence) {
      if (inside !== undefined && ++inside >= LINES) return true;
    } else inside = inside === undefined ? 0 : undefined;
  }
  return false;
}
