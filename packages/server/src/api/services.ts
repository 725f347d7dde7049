import type { PreviewPasses } from "../access/preview-passes.ts";
import type { TryReviewed } from "../assemble-reviews.ts";
import type { OwnHosts } from "../server-address.ts";
import type { TrustedProxies } from "@treadle/common";
import type { Accounts, AuditForwarder, ModelRules } from "@treadle/accounts";
import type { Health, Machine } from "@treadle/protocol";
import type { ProjectRecord, Store } from "@treadle/store";
import type { Comparisons, ParallelRequests } from "@treadle/attempts";
import type { BoltChat } from "../bolt/bolt-chat.ts";
import type { PageStyle, Screenshot } from "@treadle/browser";
import type { Databases, KeptData } from "@treadle/app-database";
import type { Certificates, ElsewhereService, Publications, Shares } from "@treadle/publish";
import type { DeviceSignIns } from "@treadle/git";
import type { McpHub } from "@treadle/tool-servers";
import type { OwnRulesFile } from "../personal/own-rules.ts";
import type { Transcript } from "@treadle/transcripts";
import type { KeptPictures } from "@treadle/pictures";
import type { ListedFolders } from "../projects/listed-folders.ts";
import type { OwnProjectService } from "../projects/project-service.ts";
import type { SettingsService } from "../projects/project-settings.ts";
import type { ModelSettings } from "@treadle/model-settings";
import type { Notifications } from "@treadle/notifications";
import type { RunLine } from "@treadle/accounts";
import type { Runtimes } from "../runtime/runtimes.ts";

/** The services that the routes use. */
export interface Services {
  store: Store;
  projects: OwnProjectService;
  runtimes: Runtimes;
  /** Folders in which the command line worked. */
  folders: ListedFolders;
  models: ModelSettings;
  settings: SettingsService;
  notifications: Notifications;
  /** Stores pictures that are sent in a project, and reads these and its screenshots. */
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
  /** The data folder, which contains the person's own rules and skills. */
  dataDirectory: string;
  /** Origin of a project's preview, without a path. */
  previewOrigin(capability: string, port?: number): string;
  /**
   * A PNG of a project's page, opened in the looking browser. Rejects with `BrowserError` if that
   * fails.
   */
  takePicture(
    project: ProjectRecord,
    shot: Omit<Screenshot, "origin" | "hosts" | "staticHosts"> & { port?: number },
  ): Promise<Uint8Array>;
  /**
   * The style of the page at an address, opened in the looking browser; undefined if it cannot be
   * read. It may reach the project's hosts, the address's own host and the static hosts. Rejects
   * with `BrowserError`.
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
  /**
   * Exports turns of a project for a replay.
   * @throws ApiFailure like `exportTranscript`
   */
  transcriptOf(
    project: Pick<ProjectRecord, "id" | "name">,
    run: string | undefined,
  ): Promise<Transcript>;
  databases: Databases;
  /** Sign-ins at git servers by the device flow. */
  gitSignIns: DeviceSignIns;
  boltChat: BoltChat;
  /** People and their sign-ins; undefined on a server of one person. */
  accounts: Accounts | undefined;
  /** Shows the held release of a request to publish to the person who reviews it. */
  tryReviewed: TryReviewed;
  /** Which models people may use; undefined on a server of one person. */
  modelRules: ModelRules | undefined;
  /** Forwards the audit log; undefined on a server of one person. */
  auditForwarder: AuditForwarder | undefined;
  /** The line in which runs wait; undefined on a server of one person. */
  line: RunLine | undefined;
  /** The origin of Treadle's own pages. */
  origin(): string;
  /** The hosts of Treadle's own pages. Host headers are compared with them, and cookies are named after them. */
  ownHosts(): OwnHosts;
  /** Tickets for previews of people on other machines; undefined if only this machine reaches the server. */
  previewPasses: PreviewPasses | undefined;
  /** The web servers in front of Treadle, whose headers state the client's address. */
  proxies: TrustedProxies;
  /** A ticket that signs a browser in once. @param person the id of the person; default: the server's owner */
  ticket(person?: string): string;
  now(): number;
}
