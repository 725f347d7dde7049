import type { DesignProposal, ProjectDesign } from "@treadle/protocol";
import { useState } from "react";
import { proposeDesign, type DesignSource } from "../api/design.ts";
import { useProjectId } from "../live/live-context.tsx";
import type { DraftEdit } from "../project/design-store.ts";
import { useAct } from "../ui/use-act.ts";
import { visibleProse } from "@treadle/protocol/safe-text";
import { words } from "../words/words.ts";
import { ChooseSource } from "./choose-source.tsx";
import { ProposedTokens } from "./proposed-tokens.tsx";

/** Imports tokens from another project, a file or a web page; they are shown before any of them is used. */
export function TakeOver({
  design,
  onTake,
}: {
  design: ProjectDesign;
  onTake: (edits: DraftEdit[]) => void;
}) {
  const project = useProjectId();
  const { act, busy, problem } = useAct();
  const [proposal, setProposal] = useState<DesignProposal>();
  const read = (source: DesignSource) =>
    void act(async () => {
      setProposal(undefined);
      setProposal(await proposeDesign(project, source));
    });
  return (
    <div className="space-y-4">
      <p className="text-quiet">{words.design.takeOverAbout}</p>
      <ChooseSource isBusy={busy} onRead={read} />
      {problem !== undefined && (
        <p role="alert" className="text-failed">
          {visibleProse(problem)}
        </p>
      )}
      {proposal && <ProposedTokens design={design} proposal={proposal} onTake={onTake} />}
    </div>
  );
}
