import { mayHoldThought, type Rewritten, rewriteThoughts } from "../prose/thought-marks.ts";
import { rewriteMarks, type OddEnd, type Place } from "./meant-marks.ts";
import { createArtifactParser } from "./parse.ts";
import { readQuickActions } from "./quick-actions.ts";
import { recoverFences } from "./recovery.ts";
import type { ArtifactEvent, ArtifactParser, ArtifactParserOptions } from "./types.ts";

/**
 * As `createArtifactParser`, for what models really write: with `recoverFences`, with lists of quick actions, and with thoughts
 * that are marked otherwise than with `<think>`, in which nothing is carried out.
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
/** What a text stands behind, by how deep in an artifact it does. */
const BEHIND = ["", `${COMMAND}\n</boltAction>\n`, '<boltArtifact id="a">\n'];

/** @param onPassed told of what the parser gets, and of how many characters before that it takes the place */
function createReader(options: LenientOptions, onPassed: (text: string, instead: number) => void) {
  let recovery: ReturnType<typeof recoverFences>;
  const parser = createArtifactParser({
    ...options,
    recover(input, outline, enterFence) {
      const giveBack = input.giveBack.bind(input);
      // In what was held, since it could be an action's content, no mark was rewritten.
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

/** A text that stands behind another with its thoughts as the parser knows them, and what is open at its end. */
function marked(text: string, behind: string, { limits = {} }: LenientOptions): Rewritten {
  let passed = "";
  const { parser, thoughts } = createReader({ limits, onEvent() {} }, (part, instead) => {
    passed = passed.slice(0, passed.length - instead) + part;
  });
  parser.write(behind);
  thoughts.write(text);
  return { passed, ...thoughts.state() };
}
