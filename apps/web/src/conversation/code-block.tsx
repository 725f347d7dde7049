import { memo } from "react";
import { Play } from "../ui/icons.ts";
import type { ColouredPiece } from "../files/highlight.ts";
import { runInTerminal } from "../project/terminals-store.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useColouredCode } from "./use-coloured-code.ts";
import { words } from "../words/words.ts";

/** Language names of shell code. */
const SHELL = /^(?:bash|sh|shell|zsh|shellscript)$/i;

/**
 * A code block by the model, coloured as it is written, with a button to copy it; shell commands have another to run
 * them.
 */
export function CodeBlock({
  code,
  language,
  isComplete,
}: {
  code: string;
  /** The language name after ```. */
  language: string | undefined;
  isComplete: boolean;
}) {
  const coloured = useColouredCode(code, language, isComplete);
  return (
    <div className="group/code relative my-2">
      <pre
        dir="ltr"
        // The block has the only background: inline code has its own, which would end with each line.
        className="overflow-x-auto rounded border border-line bg-raised p-2 pr-18 font-mono text-small [&_code]:rounded-none [&_code]:bg-transparent [&_code]:p-0"
      >
        <code className="font-mono text-small">
          {coloured.passes.map((pieces, index) => (
            <Pieces key={index} pieces={pieces} />
          ))}
          {code.slice(coloured.text.length)}
        </code>
      </pre>
      {isComplete && SHELL.test(language ?? "") && code.trim() !== "" && (
        <IconButton
          name={words.conversation.runCode}
          className="absolute! top-1 right-8 bg-raised pointer-coarse:right-13"
          onClick={() => runInTerminal(code)}
        >
          <Play size={14} aria-hidden="true" />
        </IconButton>
      )}
      <CopyButton
        name={words.conversation.copyCode}
        text={() => code}
        className="absolute! top-1 right-1 bg-raised opacity-0 group-hover/code:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
}

const Pieces = memo(function Pieces({ pieces }: { pieces: readonly ColouredPiece[] }) {
  return pieces.map(({ text, colour: name }, index) =>
    name === undefined ? (
      text
    ) : (
      <span key={index} style={{ color: `var(${name})` }}>
        {text}
      </span>
    ),
  );
});
