import type { LineCount } from "@treadle/protocol";
import { Check } from "../ui/icons.ts";
import type { FileChangeText } from "../api/projects.ts";
import { visibleName } from "../files/tree.ts";
import { LineCountView } from "../ui/line-count.tsx";
import { words } from "../words/words.ts";

const LETTERS = { added: "A", changed: "M", removed: "D" } as const;
const COLOURS = { added: "text-verified", changed: "text-unsure", removed: "text-failed" } as const;

/** The list of changed files beside their diffs: how each changed, and which were reviewed. */
export function ChangedFiles({
  files,
  counts,
  keys,
  reviewed,
  onChoose,
}: {
  files: readonly FileChangeText[];
  counts: ReadonlyMap<FileChangeText, LineCount>;
  /** The keys under which each file's changes are remembered. */
  keys: ReadonlyMap<FileChangeText, readonly string[]>;
  reviewed: ReadonlySet<string>;
  onChoose: (path: string) => void;
}) {
  return (
    <ul
      aria-label={words.changes.changedFiles}
      className="w-56 shrink-0 overflow-y-auto border-r border-line py-1 text-small"
    >
      {files.map((file) => {
        const name = visibleName(file.path);
        const cut = name.lastIndexOf("/") + 1;
        const own = keys.get(file) ?? [];
        const isReviewed = own.length > 0 && own.every((key) => reviewed.has(key));
        const became = words.changes.kinds[file.kind];
        return (
          <li key={file.path}>
            <button
              type="button"
              title={name}
              onClick={() => onChoose(file.path)}
              className="flex h-7 w-full items-center gap-2 px-3 text-left -outline-offset-2 hover:bg-hover pointer-coarse:h-11"
            >
              <span className="flex min-w-0 flex-1 font-mono">
                <span className="min-w-0 truncate text-quiet">{name.slice(0, cut)}</span>
                <span className="max-w-full shrink-0 truncate">{name.slice(cut)}</span>
              </span>
              {isReviewed && (
                <Check
                  size={13}
                  role="img"
                  aria-label={words.changes.kept}
                  className="shrink-0 text-verified"
                />
              )}
              <LineCountView lines={counts.get(file)} />
              <span
                title={became}
                className={`w-3 shrink-0 text-center font-semibold ${COLOURS[file.kind]}`}
              >
                <span aria-hidden="true">{LETTERS[file.kind]}</span>
                <span className="sr-only">{became}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
