import { useEffect, useId, useState, type ReactNode } from "react";
import { request } from "../api/request.ts";
import { words } from "../words/words.ts";

/** Font sizes of the sample, in pixels. */
const SIZES_PX = [14, 20, 32, 48];

/** A line of text in one of the project's fonts, in several sizes. */
export function FontSample({ address, children }: { address: string; children: ReactNode }) {
  const family = `sample-${useId()}`;
  const [state, setState] = useState<"loading" | "shown" | "bad">("loading");
  useEffect(() => {
    const leaving = new AbortController();
    let face: FontFace | undefined;
    const load = async () => {
      const bytes = await (await request(address, { signal: leaving.signal })).arrayBuffer();
      const read = await new FontFace(family, bytes).load();
      if (leaving.signal.aborted) return;
      document.fonts.add((face = read));
      setState("shown");
    };
    load().catch(() => {
      if (!leaving.signal.aborted) setState("bad");
    });
    return () => {
      leaving.abort();
      if (face) document.fonts.delete(face);
    };
  }, [address, family]);
  return (
    <div className="min-h-0 flex-1 space-y-4 overflow-auto p-4">
      {state === "bad" && (
        <p role="alert" className="text-failed">
          {words.editor.badFont}
        </p>
      )}
      {state === "shown" &&
        SIZES_PX.map((size) => (
          <p key={size} style={{ fontFamily: `"${family}"`, fontSize: size }}>
            {words.editor.fontSample}
          </p>
        ))}
      <p className="flex items-center gap-3 text-small text-quiet">{children}</p>
    </div>
  );
}
