import { visible, visibleExactly } from "@treadle/protocol/safe-text";

/** Texts that the model would follow if the question is answered with yes, unless the tool call itself shows them. */
export function AskedTexts({ texts }: { texts: readonly { path: string; text: string }[] }) {
  return (
    <div className="mt-2 max-h-[30vh] overflow-auto border-l border-line pl-3">
      {texts.map(({ path, text }) => (
        <figure key={path} className="m-0 mb-2">
          <figcaption className="font-mono text-small break-all text-quiet">
            <bdi>{visible(path)}</bdi>
          </figcaption>
          <pre tabIndex={0} className="m-0 font-mono text-small wrap-anywhere whitespace-pre-wrap">
            {visibleExactly(text)}
          </pre>
        </figure>
      ))}
    </div>
  );
}
