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
import type { Ownership } from "@treadle/cluster";
import type { ModelSource } from "@treadle/model-settings";
import type { LookStops } from "./look-stops.ts";
import type { ProjectTrust } from "@treadle/trust";
import type { ProjectState } from "@treadle/protocol/fold";

/** The dependencies of projects' runtimes. Tests replace them. */
export interface RuntimeParts {
  store: Store;
  ownership: Ownership;
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
    /** Stops everything of a project that was deleted and may be restored. */
    rest(project: string): Promise<void>;
    /** Whether its published app has a sandbox, or is being published. */
    isAwake(project: string): boolean;
    /** Begins to serve what another server served before. */
    takeOver(project: string): Promise<void>;
    /** Projects whose published apps have scheduled jobs. */
    withJobs(): string[];
    back(project: string): void;
    /** Removes everything of a project that is removed. Called before its folder is removed. */
    remove(project: string): Promise<void>;
  };
  /**
   * Tokens and cost of the project and its parallel requests, without its own active run; absent if there are no
   * parallel requests.
   */
  sharedUsage?(project: string): { tokens: number; costUsd: number };
  /** The person for whom the current request works; absent if there is only the one at this machine. */
  author?(): Promise<Author | undefined>;
  /** Called for each event that was added to a log; must not throw. */
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
  /** Absolute path of the data folder, which contains the folders of the projects. */
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
  /** Whether the checks that are started by hand run as well. */
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
  /** Which changes are the person's own, and which versions of protected files are accepted. */
  readonly trust: ProjectTrust;
  /** The active looks of the project's runs, which can be stopped. */
  readonly lookStops: LookStops;
  /**
   * The newest text of a terminal that the person may read; without a name, of the last used one. Undefined if
   * there is none.
   */
  readTerminal(
    name: string | undefined,
    person: Author | undefined,
  ): Promise<{ name: string; text: string } | undefined>;
  append(event: LogEvent): void;
  /** The project's record. @throws ApiFailure if the project was removed */
  record(): Promise<ProjectRecord>;
  /** The project's workspace. It is opened on the first call, and again after it was released. */
  workspace(): Promise<Workspace>;
}
