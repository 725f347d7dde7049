import type { Health, Machine } from "@treadle/protocol";
import type { ProjectRecord, Store } from "@treadle/store";
import type { Comparisons } from "../compare/comparisons.ts";
import type { ParallelRequests } from "../compare/parallel-requests.ts";
import type { BoltChat } from "../bolt/bolt-chat.ts";
import type { PageStyle, Screenshot } from "@treadle/browser";
import type { Databases, KeptData } from "@treadle/app-database";
import type { Certificates, ElsewhereService, Publications, Shares } from "@treadle/publish";
import type { DeviceSignIns } from "@treadle/git";
import type { McpHub } from "@treadle/tool-servers";
import type { OwnRulesFile } from "../personal/own-rules.ts";
import type { Transcript } from "../replay/transcript.ts";
import type { KeptPictures } from "../pictures/kept-pictures.ts";
import type { ListedFolders } from "../projects/listed-folders.ts";
import type { OwnProjectService } from "../projects/project-service.ts";
import type { SettingsService } from "../projects/project-settings.ts";
import type { ModelSettings } from "../models/types.ts";
import type { Runtimes } from "../runtime/runtimes.ts";

/** What the routes work with. */
export interface Services {
  store: Store;
  projects: OwnProjectService;
  runtimes: Runtimes;
  /** Folders that the command line worked in. */
  folders: ListedFolders;
  models: ModelSettings;
  settings: SettingsService;
  /** Pictures that were sent in a project. */
  picturesOf(project: string): KeptPictures;
  /** Saved copies of the app's databases, one for each checkpoint that has data. */
  keptData: KeptData;
  /** A project's own folder, beside its files. */
  folderOf(project: string): string;
  /** The person's own rules. */
  personal: OwnRulesFile;
  mcp: McpHub;
  health(): Promise<Health>;
  machine(): Promise<Machine>;
  /** Where the person keeps rules and skills of their own. */
  dataDirectory: string;
  /** Origin of a project's preview, without a path. */
  previewOrigin(capability: string): string;
  /** A project's page as PNG, opened anew in the looking browser. Rejects with `BrowserError` where that does not work. */
  takePicture(
    project: ProjectRecord,
    shot: Omit<Screenshot, "origin" | "hosts" | "staticHosts"> & { port?: number },
  ): Promise<Uint8Array>;
  /**
   * How the page at an address is drawn, opened in the looking browser; undefined if it cannot be read. It reaches what
   * pages of the project reach, the address's own host and the static hosts. Rejects with `BrowserError`.
   */
  readStyle(
    project: ProjectRecord,
    address: URL,
    options: { dark: boolean; signal: AbortSignal },
  ): Promise<PageStyle | undefined>;
  comparisons: Comparisons;
  parallel: ParallelRequests;
  publications: Publications;
  elsewhere: ElsewhereService;
  certificates: Certificates;
  shares: Shares;
  /** Recorded turns of a project, to be replayed. @throws ApiFailure as `exportTranscript` does. */
  transcriptOf(
    project: Pick<ProjectRecord, "id" | "name">,
    run: string | undefined,
  ): Promise<Transcript>;
  databases: Databases;
  /** Sign-ins at git servers by the device flow. */
  gitSignIns: DeviceSignIns;
  boltChat: BoltChat;
  /** Signs a browser in once. */
  ticket(): string;
  now(): number;
}
