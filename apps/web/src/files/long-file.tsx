import { useQuery } from "@tanstack/react-query";
import type { FileBody } from "@treadle/protocol";
import { useEffect, useRef, useState } from "react";
import { Download } from "../ui/icons.ts";
import { rawAddress, readPart } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { formatBytes } from "../ui/format.ts";
import { cutPart, PART_BYTES } from "./cut-part.ts";
import { openTextEditor } from "./text-editor.ts";
import { words } from "../words/words.ts";

/** The start of a part: its byte offset, and its first line, counted from 1. */
interface Start {
  byte: number;
  line: number;
}

/** A text that is too long to edit, shown in parts. */
export function LongFile({ body: { path, size, version } }: { body: FileBody }) {
  const project = useProjectId();
  /** The starts of all parts up to the current one. */
  const [starts, setStarts] = useState<readonly Start[]>([{ byte: 0, line: 1 }]);
  const start = starts.at(-1)!;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["file-part", project, path, version, start.byte],
    queryFn: async ({ signal }) => {
      const read = await readPart(project, path, start.byte, PART_BYTES, signal);
      return cutPart(read, start.byte + read.length >= size);
    },
    // Each part takes a megabyte of memory.
    gcTime: 30_000,
    staleTime: Infinity,
  });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current || !data) return;
    const editor = openTextEditor({
      parent: box.current,
      path,
      firstLine: start.line,
      onEdit: () => {},
      onSave: () => {},
      onBlur: () => {},
    });
    editor.show(data.text);
    return () => editor.close();
  }, [data, path, start.line]);
  const end = start.byte + (data?.size ?? 0);
  const number = (value: number) => value.toLocaleString("en");
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1 text-small text-quiet">
        <span role="status" className="numbers">
          {words.files.readOnly({
            from: number(start.line),
            to: data ? number(start.line + data.lines - (end < size ? 1 : 0)) : "…",
            size: formatBytes(size),
          })}
        </span>
        <span className="flex-1" />
        <Button
          disabled={starts.length === 1 || isFetching}
          onClick={() => setStarts(starts.slice(0, -1))}
        >
          {words.files.partBefore}
        </Button>
        <Button
          disabled={!data || end >= size || isFetching}
          onClick={() =>
            data && setStarts([...starts, { byte: end, line: start.line + data.lines }])
          }
        >
          {words.files.nextPart}
        </Button>
        <a href={rawAddress(project, path)} download className={buttonClass()}>
          <Download size={14} aria-hidden="true" /> {words.files.download}
        </a>
      </p>
      {error && (
        <p role="alert" className="px-3 py-1 text-small text-failed">
          {sentence(error)} <Button onClick={() => void refetch()}>{words.files.tryAgain}</Button>
        </p>
      )}
      <div ref={box} className="min-h-0 flex-1 overflow-hidden" />
    </div>
  );
}
