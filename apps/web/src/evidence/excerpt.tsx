import { useQuery } from "@tanstack/react-query";
import type { PlaceInSource } from "@treadle/protocol/evidence";
import { visible } from "@treadle/protocol/safe-text";
import { readFile } from "../api/files.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Placed } from "./placed.tsx";

/**
 * The line that threw, in the current file.
 * @param around number of lines shown before and after it
 */
export function Excerpt({
  place: { path, line, column },
  around,
}: {
  place: PlaceInSource;
  around: number;
}) {
  const project = useProjectId();
  const changed = useView((view) => view.changes.get(path)?.seq);
  const { data } = useQuery({
    queryKey: ["file", project, path, changed],
    queryFn: ({ signal }) => readFile(project, path, signal),
  });
  const lines = data?.text?.replace(/\n$/, "").split("\n") ?? [];
  const first = Math.max(1, line - around);
  const shown = lines.slice(first - 1, line + around);
  return (
    <figure className="overflow-hidden rounded border border-line bg-raised">
      <figcaption className="px-2 py-1 text-small text-quiet">
        <Placed>{`${path}:${line}:${column}`}</Placed>
      </figcaption>
      {shown.length > 0 && (
        // Focusable, so that the keyboard can scroll wide code.
        <pre tabIndex={0} className="overflow-x-auto border-t border-line font-mono text-small">
          <span className="block w-max min-w-full">
            {shown.map((text, index) => (
              <span
                key={index}
                className={`block px-2 leading-5 ${
                  first + index === line ? "bg-failed-tint shadow-[inset_3px_0_var(--failed)]" : ""
                }`}
              >
                <span
                  aria-hidden="true"
                  className="numbers mr-3 inline-block w-8 text-right text-quiet select-none"
                >
                  {first + index}
                </span>
                {visible(text)}
              </span>
            ))}
          </span>
        </pre>
      )}
    </figure>
  );
}
