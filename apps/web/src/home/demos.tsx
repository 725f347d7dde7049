import type { ModelsInfo } from "@treadle/protocol";
import { FocusableButton } from "../ui/button.tsx";
import { ChevronRight, Play } from "../ui/icons.ts";
import { words } from "../words/words.ts";

type Demo = ModelsInfo["demos"][number];

/** The title and description of a demo, from its recording if this page has no translation. */
const wordsOf = (demo: Demo): { title: string; about: string } =>
  Object.hasOwn(words.home.demos, demo.id)
    ? words.home.demos[demo.id as keyof typeof words.home.demos]
    : demo;

/** Recorded builds, labelled as such: the model's answers are replayed, everything else really runs. */
export function Demos({
  demos,
  alone,
  busy,
  onPlay,
}: {
  demos: Demo[];
  /** Whether no model is set up, so that demos are the only choice. */
  alone: boolean;
  busy: boolean;
  onPlay: (demo: Demo) => void;
}) {
  const list = (
    <>
      <p className="text-small text-quiet">{words.home.recordedAbout}</p>
      <ul className="mt-2 divide-y divide-line rounded border border-line">
        {demos.map((demo) => (
          <li key={demo.id}>
            <FocusableButton
              disabled={busy}
              onClick={() => onPlay(demo)}
              className="flex w-full items-start gap-3 px-3 py-2 text-left hover:bg-hover aria-disabled:opacity-50 pointer-coarse:min-h-11"
            >
              <Play size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
              <span>
                <span className="font-medium">{wordsOf(demo).title}</span>
                <span className="block text-small text-quiet">{wordsOf(demo).about}</span>
              </span>
            </FocusableButton>
          </li>
        ))}
      </ul>
    </>
  );
  if (!alone)
    return (
      <details className="group mt-6">
        <summary className="flex w-fit list-none items-center gap-1 rounded text-small text-quiet hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight size={14} aria-hidden="true" className="group-open:rotate-90" />
          {words.home.recorded}
        </summary>
        <div className="mt-2">{list}</div>
      </details>
    );
  return (
    <section aria-labelledby="demos" className="mt-6">
      <h2 id="demos" className="font-semibold">
        {words.home.recordedOnly}
      </h2>
      {list}
    </section>
  );
}
