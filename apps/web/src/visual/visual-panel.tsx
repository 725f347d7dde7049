import { useQuery } from "@tanstack/react-query";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { ArrowDown, ArrowUp, Undo2, X } from "../ui/icons.ts";
import { commentOn } from "../project/comments-store.ts";
import { insertText } from "../project/inserted-text-store.ts";
import { useMay } from "../project/use-may.ts";
import { useWork } from "../project/work-store.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ClassesField } from "./classes-field.tsx";
import { locate, type Origin } from "./plan-change.ts";
import { reasonWords } from "./reason-words.ts";
import { StyleFields } from "./style-fields.tsx";
import type { Visual } from "./use-visual.ts";
import { WordsField } from "./words-field.tsx";
import { words } from "../words/words.ts";

/**
 * The element picked in the preview: its place in the source, and the fields that change it. Draws nothing without one.
 */
export default function VisualPanel({ visual }: { visual: Visual }) {
  const mayComment = useMay("project.comment");
  const { picked, more, problem, sources, close, undo, canUndo, send } = visual;
  const openFile = useWork((state) => state.openFile);
  const { data: located } = useQuery({
    queryKey: ["located", picked, sources.tailwind],
    queryFn: () => (picked ? locate(picked, sources) : undefined),
    enabled: picked !== undefined,
    // A hot update replaces the picked element; the previous data is shown until the new one is located.
    placeholderData: (before) => before,
    gcTime: 0,
  });
  if (!picked) return null;
  const origin = located && "origin" in located ? located.origin : undefined;
  const refused = located && "refused" in located ? located.refused : undefined;
  return (
    <section
      aria-label={words.visual.selected}
      className="flex h-full flex-col overflow-hidden border-l border-line bg-paper text-small max-wide:border-t max-wide:border-l-0"
    >
      <div className="flex shrink-0 items-center gap-1 border-b border-line py-1 pr-1 pl-3">
        <nav
          aria-label={words.visual.within}
          className="flex min-w-0 flex-1 items-center gap-1 overflow-hidden"
        >
          {picked.chain.map((label, index) =>
            index === picked.chain.length - 1 ? (
              <h2 key={index} className="truncate font-mono font-semibold">
                {visible(label)}
              </h2>
            ) : (
              index >= picked.chain.length - 3 && (
                <button
                  key={index}
                  type="button"
                  onClick={() => send({ type: "move", to: index })}
                  className="min-h-6 max-w-20 truncate rounded font-mono text-quiet hover:text-ink"
                >
                  {visible(label)} ›
                </button>
              )
            ),
          )}
        </nav>
        {more.length === 0 && (
          <>
            <IconButton name={words.visual.earlier} onClick={() => send({ type: "shift", by: -1 })}>
              <ArrowUp size={15} aria-hidden="true" />
            </IconButton>
            <IconButton name={words.visual.later} onClick={() => send({ type: "shift", by: 1 })}>
              <ArrowDown size={15} aria-hidden="true" />
            </IconButton>
          </>
        )}
        <IconButton name={words.visual.undo} disabled={!canUndo} onClick={undo}>
          <Undo2 size={15} aria-hidden="true" />
        </IconButton>
        <IconButton name={words.visual.close} onClick={close}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 space-y-4 overflow-y-auto p-3">
        <p className="text-quiet">
          {origin ? (
            <button
              type="button"
              title={words.visual.showInFile}
              onClick={() => openFile(origin.path, origin)}
              className="rounded font-mono break-all text-ink underline decoration-line underline-offset-2 hover:text-accent"
            >
              {origin.path}:{origin.line}
            </button>
          ) : (
            refused && reasonWords(refused)
          )}
          {picked.same > 1 && ` · ${words.visual.shownTimes({ times: picked.same })}`}
        </p>
        {more.length > 0 && (
          <p role="status">
            {words.visual.together({ count: more.length + 1 })}{" "}
            <span className="font-mono text-quiet">
              {more.map(({ label }) => visible(label)).join(", ")}
            </span>
          </p>
        )}
        {problem !== undefined && (
          <p role="alert" className="text-failed">
            {visibleProse(problem)}
          </p>
        )}
        {more.length === 0 && (
          <WordsField
            key={`w${keyOf(picked.path)}`}
            visual={visual}
            picked={picked}
            origin={origin}
          />
        )}
        <ClassesField visual={visual} picked={picked} origin={origin} />
        <StyleFields visual={visual} picked={picked} origin={origin} />
        {more.length === 0 && <p className="text-quiet">{words.visual.hints}</p>}
      </div>
      <div className="flex shrink-0 justify-end gap-2 border-t border-line p-2">
        {mayComment && (
          <Button onClick={() => commentOn(anchorOf(picked, visual.page, origin))}>
            {words.comments.comment}
          </Button>
        )}
        <Button kind="primary" onClick={() => insertText(askAbout(picked, origin))}>
          {words.visual.ask}
        </Button>
      </div>
    </section>
  );
}

const anchorOf = (
  { tag, label, text, path }: NonNullable<Visual["picked"]>,
  page: string,
  origin: Origin | undefined,
) => ({
  kind: "element" as const,
  page,
  tag,
  label: label.slice(0, 80),
  text: text.slice(0, 200),
  path,
  source: origin && `${origin.path}:${origin.line}`,
});

const keyOf = (path: readonly [string, number][]) => path.map((step) => step.join("")).join(">");

/** The beginning of a message about an element, with its place and text for the model. */
function askAbout({ tag, text, label }: NonNullable<Visual["picked"]>, origin?: Origin): string {
  const where = origin
    ? words.visual.inFile({ path: origin.path, line: origin.line })
    : ` ${label}`;
  const quotedText =
    text === "" ? "" : words.visual.says({ text: visibleProse(text.slice(0, 80)) });
  return words.visual.asked({ tag, says: quotedText, where });
}
