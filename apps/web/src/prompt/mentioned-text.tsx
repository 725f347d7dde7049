import type { ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";
import { parseMentions } from "@treadle/protocol/mentions";
import type { ReactNode } from "react";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";

/** A message in which mentioned files are buttons that open them. */
export function MentionedText({ text }: { text: string }) {
  const openFile = useWork((state) => state.openFile);
  const pieces: ReactNode[] = [];
  let last = 0;
  for (const mention of parseMentions(text)) {
    pieces.push(text.slice(last, mention.start));
    last = mention.end;
    const path = mention.kind === "path" ? fileOf(mention.path) : undefined;
    pieces.push(
      path === undefined ? (
        <span key={mention.start} className="text-accent">
          {mention.text}
        </span>
      ) : (
        <button
          key={mention.start}
          type="button"
          title={words.prompt.openFile({ path })}
          className="text-accent hover:underline"
          onClick={() => openFile(path)}
        >
          {mention.text}
        </button>
      ),
    );
  }
  pieces.push(text.slice(last));
  return <>{pieces}</>;
}

function fileOf(written: string): ProjectPath | undefined {
  const read = readProjectPath(written);
  return read.ok && !written.endsWith("/") ? read.path : undefined;
}
