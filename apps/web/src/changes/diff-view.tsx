import { useMemo, useState } from "react";
import { visibleProse } from "@treadle/protocol/safe-text";
import { readUnified, type DiffLine } from "./unified.ts";
import { words } from "../words/words.ts";

/** Lines of one file's difference that are drawn. */
const LINES_SHOWN = 2000;

const LOOKS: Record<DiffLine["kind"], { sign: string; look: string }> = {
  same: { sign: " ", look: "" },
  added: { sign: "+", look: "bg-verified/12" },
  removed: { sign: "−", look: "bg-failed/12" },
  place: { sign: "", look: "bg-hover text-quiet" },
};

/** What was added and removed, line by line; the sign says it as well as the colour. */
export function DiffView({ diff }: { diff: string }) {
  const [most, setMost] = useState(LINES_SHOWN);
  const lines = useMemo(() => readUnified(diff), [diff]);
  return (
    <div className="overflow-x-auto font-mono text-small">
      <table className="w-full border-collapse">
        <tbody>
          {lines.slice(0, most).map((line, index) => {
            const { sign, look } = LOOKS[line.kind];
            return (
              <tr key={index} className={look}>
                <td className="numbers w-px pr-2 pl-3 text-right text-quiet select-none">
                  {line.after ?? line.before ?? ""}
                </td>
                <td className="w-px px-1 select-none">{sign}</td>
                <td className="pr-3 whitespace-pre">
                  {line.kind === "place" ? `… ${line.text}` : visibleProse(line.text)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {lines.length > most && (
        <button
          type="button"
          className="px-3 py-1 text-accent hover:underline pointer-coarse:min-h-11"
          onClick={() => setMost(most * 4)}
        >
          {words.changes.moreLines(lines.length - most)}
        </button>
      )}
    </div>
  );
}
