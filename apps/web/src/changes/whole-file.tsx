import type { ProjectPath } from "@treadle/protocol";
import { bytesAt, type ChangedFile, type Span } from "../api/changes.ts";
import { rawAddress } from "../api/files.ts";
import type { FileChangeText } from "../api/projects.ts";
import { visibleName } from "../files/tree.ts";
import { useProjectId } from "../live/live-context.tsx";
import { formatBytes } from "../ui/format.ts";
import { words } from "../words/words.ts";
import { useChangedFile } from "./use-changed-file.ts";

/** File types that the server sends as pictures. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|ico)$/i;

/** A file without a line diff: pictures side by side, sizes for other files. */
export function WholeFile({ file, span }: { file: FileChangeText; span: Span }) {
  const project = useProjectId();
  const { data } = useChangedFile(span, file.path);
  const sides = data && [
    {
      title: words.changes.before,
      side: data.before,
      address: bytesAt(project, span.from, file.path),
    },
    {
      title: words.changes.after,
      side: data.after,
      address: addressAfter(project, span, file.path, data),
    },
  ];
  const shown = sides?.filter(({ side }) => side !== undefined) ?? [];
  const sizes = shown.map(({ side }) => formatBytes(side?.size ?? 0)).join(" → ");
  return (
    <div className="px-9 pb-3 text-small text-quiet">
      {!PICTURE.test(file.path) && (
        <p>
          {why(file)} <span className="numbers">{sizes}</span>
        </p>
      )}
      {PICTURE.test(file.path) && (
        <div className="grid gap-3 pt-1 wide:grid-cols-2">
          {shown.map(({ title, side, address }) => (
            <figure key={title} className="m-0 min-w-0">
              <img
                src={address}
                alt={words.changes.picture({ name: visibleName(file.path), when: title })}
                className="max-h-80 max-w-full rounded border border-line bg-raised object-contain"
              />
              <figcaption className="numbers pt-1">
                {title} · {formatBytes(side?.size ?? 0)}
              </figcaption>
            </figure>
          ))}
        </div>
      )}
    </div>
  );
}

/** The URL of the file's bytes after the change. Each version has its own, so the browser shows no cached one. */
const addressAfter = (project: string, { to }: Span, path: ProjectPath, { after }: ChangedFile) =>
  to === undefined
    ? `${rawAddress(project, path)}&version=${encodeURIComponent(after?.version ?? "")}`
    : bytesAt(project, to, path);

function why({ binary, cut }: FileChangeText): string {
  if (cut) return words.changes.tooMuch;
  return binary ? words.changes.notText : words.changes.noLines;
}
