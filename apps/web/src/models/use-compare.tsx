import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState, type ReactNode } from "react";
import { useCommand } from "../commands/available.ts";
import { startComparison } from "../api/comparisons.ts";
import { withWords } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: CompareDialog } = lazyPart(() => withWords(import("./compare-dialog.tsx")));

/**
 * Compares several models, or several attempts, for the typed text.
 * @param send.text the typed text; if empty, `onEmpty` is called
 * @param send.place prepares the text for sending, for example by uploading the files that it mentions
 * @param send.onSent called when the comparison has started
 */
export function useCompare(send: {
  text: string;
  model?: string | undefined;
  place: () => Promise<{ project?: string; text: string; pictures?: string[] }>;
  onEmpty: () => void;
  onSent: () => void;
}): { open: () => void; dialog: ReactNode } {
  const { text, model, place, onEmpty, onSent } = send;
  const [shown, setShown] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = () => (text.trim() === "" ? onEmpty() : setShown(true));
  useCommand("compare", open);
  const start = async (models: string[]) => {
    const { id } = await startComparison({ ...(await place()), models });
    onSent();
    setShown(false);
    await client.invalidateQueries({ queryKey: ["projects"] });
    await navigate({ to: "/compare/$comparison", params: { comparison: id } });
  };
  const dialog = shown && (
    <Suspense fallback={null}>
      <CompareDialog text={text} chosen={model} onClose={() => setShown(false)} onStart={start} />
    </Suspense>
  );
  return { open, dialog };
}
