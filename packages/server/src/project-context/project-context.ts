/** What the runtime of the projects needs from outside. Tests put fakes in their place. */
import type {
  Clock,
  Browser,
  DataCopies,
  PicturePort,
  ReadTemplate,
  RunPorts,
  RunRequest,
  RunResult,
  ChecksStore,
} from "@treadle/agent";
import type { ApprovalMode, Evidence, LogEvent, VerdictMode } from "@treadle/protocol";
import type { ProjectRecord, Store } from "@treadle/store";
import type { Workspace, WorkspaceDriver } from "@treadle/workspace";
import type { KeptData } from "@treadle/app-database";
import type { McpHub } from "@treadle/tool-servers";
import type { ModelSource } from "../models/types.ts";
import type { LookStops } from "./look-stops.ts";
import type { ProjectTrust } from "../trust/project-trust.ts";
import type { ProjectState } from "@treadle/protocol/fold";

export interface RuntimeParts {
  store: Store;
  driver: WorkspaceDriver;
  models: ModelSource;
  runTurn(request: RunRequest, ports: RunPorts): Promise<RunResult>;
  gatherEvidence(request: EvidenceQuestion): Promise<Evidence>;
  /** Opens pages of one project's preview; undefined where no browser can be had. */
  browserOf(
    project: Pick<ProjectRecord, "id" | "capability" | "runsIn">,
  ): Promise<Browser | undefined>;
  /** Creates copies of the project's app for checks; undefined if that is not possible. */
  copiesOf?(
    project: Pick<ProjectRecord, "id" | "runsIn">,
    workspace: Workspace,
  ): DataCopies | undefined;
  /** Where the tab of a project is opened that runs in one. */
  tabAddress?(project: string): string;
  /** Saved copies of the app's databases; absent if data is not saved. */
  keptData?: KeptData;
  readTemplate?: ReadTemplate;
  /** Tool servers of others; absent: there are none. */
  mcp?: Pick<McpHub, "toolsFor" | "allowAsked" | "readResource" | "rest" | "forget">;
  /** What is published of projects; absent: nothing is. */
  published?: {
    /** The project was deleted, and may be put back: nothing of it runs. */
    rest(project: string): Promise<void>;
    back(project: string): void;
    /** The project is removed, its folder after this. */
    remove(project: string): Promise<void>;
  };
  /** How much a turn has to prove in a project where nobody chose. */
  verdicts: VerdictMode;
  /** How calls are approved in a project where nobody chose. */
  approvalMode: ApprovalMode;
  clock: Clock;
  /** A project that nobody uses gives its sandbox back after so many milliseconds; Infinity: never. */
  idleMs?: number;
  /** Bytes that the checkpoints of one project may take; Infinity: as many as there are. */
  historyBytes?: number;
  /** Absolute; projects without a folder of their own live under it. */
  dataDirectory: string;
  /** A data folder that this one belongs to, as that of a folder the command line works in; absent: it is one by itself. */
  sharedDirectory?: string | undefined;
  /** For what nobody waits for: one line for the person who runs the server. */
  onNotice(text: string): void;
}

export interface EvidenceQuestion {
  workspace: Workspace;
  browser?: Browser;
  copies?: DataCopies | undefined;
  clock: Clock;
  /** Checks that are for running by hand are run as well. */
  asked?: boolean;
  checks?: ChecksStore;
  /** Keeps a picture of a page that is broken. */
  keepPicture?: PicturePort["save"];
  onEvidence(evidence: Evidence): void;
  signal: AbortSignal;
}

/** One project while the server knows it: shared by everything that works on it. */
export interface ProjectContext {
  readonly id: string;
  readonly parts: RuntimeParts;
  readonly view: ProjectState;
  /** What counts as the person's. */
  readonly trust: ProjectTrust;
  /** Looks of its runs that can be stopped. */
  readonly lookStops: LookStops;
  /** Newest text of a terminal; without a name, of the one used last. Undefined: there is none. */
  readTerminal(name?: string): Promise<{ name: string; text: string } | undefined>;
  append(event: LogEvent): void;
  /** @throws ApiFailure when it was removed. */
  record(): Promise<ProjectRecord>;
  /** Opened at the first call, and again after it was released. */
  workspace(): Promise<Workspace>;
}
