import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { DesignSource } from "../api/design.ts";
import { listProjects } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";

const KINDS = ["project", "tokens", "address"] as const;
type Kind = (typeof KINDS)[number];

/** Maximum size of a file of tokens, in bytes. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** Selects the source of tokens: another project, a file or a web page. */
export function ChooseSource({
  isBusy,
  onRead,
}: {
  isBusy: boolean;
  onRead: (source: DesignSource) => void;
}) {
  const [kind, setKind] = useState<Kind>("project");
  const [address, setAddress] = useState("https://");
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (kind === "address") onRead({ address: address.trim() });
      }}
    >
      <Select
        aria-label={words.design.source}
        value={kind}
        options={KINDS.map((value) => ({ value, name: words.design.sources[value] }))}
        onChoose={setKind}
        className="h-8 w-full rounded border border-edge bg-raised px-1.5 pointer-coarse:h-11"
      />
      {kind === "project" && <OtherProject isBusy={isBusy} onRead={onRead} />}
      {kind === "tokens" && <TokensFile isBusy={isBusy} onRead={onRead} />}
      {kind === "address" && (
        <>
          <Field
            label={words.design.address}
            note={words.design.addressAbout}
            value={address}
            onText={setAddress}
            inputMode="url"
          />
          <Button type="submit" disabled={isBusy || !URL.canParse(address.trim())}>
            {isBusy ? words.design.looking : words.design.look}
          </Button>
        </>
      )}
    </form>
  );
}

interface SourceProps {
  isBusy: boolean;
  onRead: (source: DesignSource) => void;
}

function OtherProject({ isBusy, onRead }: SourceProps) {
  const own = useProjectId();
  const { data } = useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => listProjects(signal),
  });
  const others = (data?.projects ?? []).filter(({ id }) => id !== own);
  const [chosen, setChosen] = useState<string>();
  const project = others.find(({ id }) => id === chosen) ?? others[0];
  if (!project) return <p className="text-quiet">{words.design.noProjects}</p>;
  return (
    <div className="flex gap-2">
      <Select
        aria-label={words.design.sources.project}
        value={project.id}
        options={others.map(({ id, name }) => ({ value: id, name }))}
        onChoose={setChosen}
        className="h-7 min-w-0 flex-1 rounded border border-edge bg-raised px-1.5 pointer-coarse:h-11"
      />
      <Button disabled={isBusy} onClick={() => onRead({ project: project.id })}>
        {words.design.read}
      </Button>
    </div>
  );
}

function TokensFile({ isBusy, onRead }: SourceProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState(false);
  const choose = async (file: File) => {
    const isTooLarge = file.size > MAX_FILE_BYTES;
    setProblem(isTooLarge);
    if (!isTooLarge) onRead({ tokens: await file.text() });
  };
  return (
    <>
      <p className="text-quiet">{words.design.fileAbout}</p>
      <input
        ref={input}
        type="file"
        accept=".json,.tokens,application/json"
        aria-label={words.design.sources.tokens}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void choose(file);
          target.value = "";
        }}
      />
      <Button disabled={isBusy} onClick={() => input.current?.click()}>
        {words.design.chooseFile}
      </Button>
      {problem && (
        <p role="alert" className="text-failed">
          {words.design.fileTooLarge}
        </p>
      )}
    </>
  );
}
