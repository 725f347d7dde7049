import { Suspense, useState, type ReactNode } from "react";
import type { Suggestion } from "../prompt/suggestions.ts";
import { useOffers, type OfferedPrompt } from "./use-offers.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: PromptForm } = lazyPart(() => import("./prompt-form.tsx"));

/** Prompts and resources of tool servers for the message field. @param onPrompt called with a prompt's text and pictures */
export function usePrompts(
  project: string,
  text: string,
  onPrompt: (message: string, pictures: File[]) => void,
  onClose: () => void,
) {
  const { offered, find } = useOffers(project, text);
  const [asked, setAsked] = useState<OfferedPrompt>();
  const form: ReactNode = asked && (
    <Suspense>
      <PromptForm
        key={`${asked.server}:${asked.name}`}
        project={project}
        prompt={asked}
        onDone={(message, pictures) => {
          setAsked(undefined);
          onPrompt(message, pictures);
        }}
        onCancel={() => {
          setAsked(undefined);
          onClose();
        }}
      />
    </Suspense>
  );
  return { offered, form, choose: (item: Suggestion) => setAsked(find(item)) };
}
