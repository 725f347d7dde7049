import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const WORKSPACE = {
  "workspace-path": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-missing": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-exists": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-not-a-file": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-not-a-folder": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-conflict": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-too-large": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-no-space": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-read-only": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-port": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-stopped": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-sandbox": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-full": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-failed": ({ detail }: { detail: Value }) => `${detail}`,
};
