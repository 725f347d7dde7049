import { mayHoldThought, type Rewritten, rewriteThoughts } from "../prose/thought-marks.ts";
import { rewriteMarks, type OddEnd, type Place } from "./meant-marks.ts";
import { createArtifactParser } from "./parse.ts";
import { readQuickActions } from "./quick-actions.ts";
import { recoverFences } from "./recovery.ts";
import type { ArtifactEvent, ArtifactParser, ArtifactParserOptions } from "./types.ts";

/**
 * Like `createArtifactParser`, for real models' output: with `recoverFences`, with lists of quick
 * actions, and with reasoning in other tags than `<think>`, in which nothing is executed.
 */
export function createLenientArtifactParser(options: LenientOptions): ArtifactParser {
  let depth = 0;
  let content: Place["content"];
  let odd: OddEnd = {};
  const onEvent = (event: ArtifactEvent) => {
    if (event.type === "artifact-open") depth++;
    else if (event.type === "artifact-close") depth--;
    else if (event.type === "action-open") content = { action: event.action, path: event.filePath };
    else if (event.type === "action-close") {
      content = undefined;
      const { isRestart } = odd;
      const reported = { ...event, ...odd };
      odd = {};
      return options.onEvent(isRestart ? { ...reported, complete: false } : reported);
    }
    options.onEvent(event);
  };
  const { parser, thoughts, isFenced } = createReader({ ...options, onEvent }, () => {});
  const marks = rewriteMarks(
    () => ({
      content: isFenced() ? undefined : content,
      isProse: depth === 0 && parser.inProse(),
    }),
    (next) => {
      odd = next;
    },
    thoughts.write,
  );
  return {
    write: marks.write,
    end() {
      marks.end();
      thoughts.end();
      parser.end();
    },
    inProse: () => !marks.isHolding() && parser.inProse(),
  };
}

type LenientOptions = Pick<ArtifactParserOptions, "onEvent" | "limits">;

const FILE = '<boltAction type="file" filePath="a">';
const COMMAND = '<boltAction type="start">';
/** Texts that bring a parser to a nesting depth. */
const BEHIND = ["", `${COMMAND}\n</boltAction>\n`, '<boltArtifact id="a">\n'];

/**
 * @param onPassed called with the text for the parser, and the number of earlier characters that it
 * replaces
 */
function createReader(options: LenientOptions, onPassed: (text: string, instead: number) => void) {
  let recovery: ReturnType<typeof recoverFences>;
  const parser = createArtifactParser({
    ...options,
    recover(input, outline, enterFence) {
      const giveBack = input.giveBack.bind(input);
      // Marks were not rewritten in held text, since it could have been an action's content.
      input.giveBack = (text, startsLine) => {
        if (!mayHoldThought(text)) return giveBack(text, startsLine);
        const before = parser.inProse() ? "" : outline.isFile ? FILE : COMMAND;
        const again = text + input.rest;
        input.at = input.chunk.length;
        const rewritten = thoughts.goOnFrom(
          marked(again, BEHIND[outline.depth]! + before, options),
        );
        onPassed(rewritten, again.length);
        giveBack(rewritten, startsLine);
      };
      return (recovery = recoverFences(input, outline, enterFence));
    },
    quickActions: readQuickActions,
  });
  const thoughts = rewriteThoughts(parser.inProse, (text) => {
    onPassed(text, 0);
    parser.write(text);
  });
  return { parser, thoughts, isFenced: () => recovery.state !== undefined };
}

/** Rewrites the reasoning in a text that follows another, and returns what is open at its end. */
function marked(text: string, behind: string, { limits = {} }: LenientOptions): Rewritten {
  let passed = "";
  const { parser, thoughts } = createReader({ limits, onEvent() {} }, (part, instead) => {
    passed = passed.slice(0, passed.length - instead) + part;
  });
  parser.write(behind);
  thoughts.write(text);
  return { passed, ...thoughts.state() };
}
