import { mayHoldThought, type Rewritten, rewriteThoughts } from "../prose/thought-marks.ts";
import { createArtifactParser } from "./parse.ts";
import { readQuickActions } from "./quick-actions.ts";
import { recoverFences } from "./recovery.ts";
import type { ArtifactParser, ArtifactParserOptions } from "./types.ts";

/**
 * As `createArtifactParser`, for what models really write: with `recoverFences`, with lists of quick actions, and with thoughts
 * that are marked otherwise than with `<think>`, in which nothing is carried out.
 */
export function createLenientArtifactParser(options: LenientOptions): ArtifactParser {
  const { parser, thoughts } = createReader(options, () => {});
  return {
    write: thoughts.write,
    end() {
      thoughts.end();
      parser.end();
    },
    inProse: parser.inProse,
  };
}

type LenientOptions = Pick<ArtifactParserOptions, "onEvent" | "limits">;

const FILE = '<boltAction type="file" filePath="a">';
const COMMAND = '<boltAction type="start">';
/** What a text stands behind, by how deep in an artifact it does. */
const BEHIND = ["", `${COMMAND}\n</boltAction>\n`, '<boltArtifact id="a">\n'];

/** @param onPassed told of what the parser gets, and of how many characters before that it takes the place */
function createReader(options: LenientOptions, onPassed: (text: string, instead: number) => void) {
  const parser = createArtifactParser({
    ...options,
    recover(input, outline, enterFence) {
      const giveBack = input.giveBack.bind(input);
      // In what was held, since it could be an action's content, no mark was rewritten.
      input.giveBack = (text, startsLine) => {
        if (!mayHoldThought(text)) return giveBack(text, startsLine);
        const before = parser.inProse() ? "" : outline.isFile() ? FILE : COMMAND;
        const again = text + input.rest;
        input.at = input.chunk.length;
        const rewritten = thoughts.goOnFrom(
          marked(again, BEHIND[outline.depth]! + before, options),
        );
        onPassed(rewritten, again.length);
        giveBack(rewritten, startsLine);
      };
      return recoverFences(input, outline, enterFence);
    },
    quickActions: readQuickActions,
  });
  const thoughts = rewriteThoughts(parser.inProse, (text) => {
    onPassed(text, 0);
    parser.write(text);
  });
  return { parser, thoughts };
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
