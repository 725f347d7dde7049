/** Dependencies of projects' runtimes. Tests replace them. */
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
import type { ApprovalMode, Author, Evidence, LogEvent, VerdictMode } from "@treadle/protocol";
import type { ProjectRecord, Store } from "@treadle/store";
import type { Workspace, WorkspaceDriver } from "@treadle/workspace";
import type { KeptData } from "@treadle/app-database";
import type { McpHub } from "@treadle/tool-servers";
import type { ModelSource } from "@treadle/model-settings";
import type { LookStops } from "./look-stops.ts";
import type { ProjectTrust } from "@treadle/trust";
import type { ProjectState } from "@treadle/protocol/fold";

export interface RuntimeParts {
  store: Store;
  driver: WorkspaceDriver;
  models: ModelSource;
  runTurn(request: RunRequest, ports: RunPorts): Promise<RunResult>;
  gatherEvidence(request: EvidenceQuestion): Promise<Evidence>;
  /** Opens pages of one project's preview; undefined without a browser. */
  browserOf(
    project: Pick<ProjectRecord, "id" | "capability" | "runsIn">,
  ): Promise<Browser | undefined>;
  /** Creates copies of the project's app for checks; undefined if that is not possible. */
  copiesOf?(
    project: Pick<ProjectRecord, "id" | "runsIn">,
    workspace: Workspace,
  ): DataCopies | undefined;
  /** The address of the tab in which a project runs. */
  tabAddress?(project: string): string;
  /** Saved copies of the app's databases; absent if data is not saved. */
  keptData?: KeptData;
  readTemplate?: ReadTemplate;
  /** External tool servers; absent if there are none. */
  mcp?: Pick<McpHub, "toolsFor" | "allowAsked" | "readResource" | "rest" | "forget">;
  /** Publications of projects; absent if there are none. */
  published?: {
    /** Called when the project is deleted and may be restored: stops everything of it. */
    rest(project: string): Promise<void>;
    back(project: string): void;
    /** Called when the project is removed, before its folder. */
    remove(project: string): Promise<void>;
  };
  /** What the project and its parallel requests have used, without its own active run; absent: there are none. */
  sharedUsage?(project: string): { tokens: number; costUsd: number };
  /** The person for whom the current request works; absent if there is only the one at this machine. */
  author?(): Promise<Author | undefined>;
  /** Called for each event that a log has taken; must not throw. */
  onLogged?(project: string, event: LogEvent): void;
  /** The default verdict mode of projects. */
  verdicts: VerdictMode;
  /** The default approval mode of projects. */
  approvalMode: ApprovalMode;
  /** The line in which runs of all projects wait; absent: each begins at once. */
  line?:
    | {
        /** Resolves with a function that gives the place back; rejects with the signal's reason. */
        enter(who: string, project: string, signal: AbortSignal): Promise<() => void>;
      }
    | undefined;
  clock: Clock;
  /** Milliseconds without use after which a project's sandbox is released; Infinity: never. */
  idleMs?: number;
  /** Maximum size of one project's checkpoints, in bytes; Infinity: unlimited. */
  historyBytes?: number;
  /** Absolute path; contains the folders of projects without their own folder. */
  dataDirectory: string;
  /**
   * The data folder to which this one belongs, as for a folder in which the command line works;
   * absent if it is independent.
   */
  sharedDirectory?: string | undefined;
  /** Reports a line about background work to the person who runs the server. */
  onNotice(text: string): void;
}

export interface EvidenceQuestion {
  workspace: Workspace;
  browser?: Browser;
  copies?: DataCopies | undefined;
  clock: Clock;
  /** Whether checks for manual runs are included. */
  asked?: boolean;
  checks?: ChecksStore;
  /** Saves a picture of a broken page. */
  keepPicture?: PicturePort["save"];
  onEvidence(evidence: Evidence): void;
  signal: AbortSignal;
}

/** One project while it is loaded: shared by everything that works on it. */
export interface ProjectContext {
  readonly id: string;
  readonly parts: RuntimeParts;
  readonly view: ProjectState;
  /** Which changes are attributed to the person. */
  readonly trust: ProjectTrust;
  /** The looks of its runs, which can be stopped. */
  readonly lookStops: LookStops;
  /**
   * Newest text of a terminal; without a name, of the last used one. Undefined if there is none.
   */
  readTerminal(
    name: string | undefined,
    person: Author | undefined,
  ): Promise<{ name: string; text: string } | undefined>;
  append(event: LogEvent): void;
  /** @throws ApiFailure if it was removed */
  record(): Promise<ProjectRecord>;
  /** Opened on the first call, and again after it was released. */
  workspace(): Promise<Workspace>;
}
