import type { RecordedExchange, RunRequest } from "@treadle/agent";
import type {
  ApprovalPolicy,
  DialectName,
  PictureInfo,
  RunMode,
  ThinkingLevel,
  VerdictMode,
} from "@treadle/protocol";

/** What a run began with, as far as it has to be the same for the run to be repeated. */
export interface RecordingHead {
  run: string;
  message: string;
  /** The files that it began from. */
  checkpoint: string;
  asked: AskedMessage;
  model: ModelFacts;
  settings: RecordedSettings;
}

/** What the person sent. */
export interface AskedMessage {
  text: string;
  mode?: RunMode | undefined;
  fix?: true | undefined;
  plan?: string | undefined;
  pictures?: PictureInfo[] | undefined;
  open?: string[] | undefined;
}

/** What is known of the model besides its answers. */
export interface ModelFacts {
  id: string;
  /** The provider and the model as the library names them. */
  provider: string;
  modelId: string;
  providerName?: string | undefined;
  hasAddress?: boolean | undefined;
  dialect: DialectName;
  takesTemperature: boolean;
  seesPictures?: boolean | undefined;
  contextWindow?: number | undefined;
  maxOutputTokens?: number | undefined;
  thinking?: ThinkingLevel | undefined;
}

/** Settings of the project that a run depends on. */
export interface RecordedSettings {
  hosts: string[];
  approvals: ApprovalPolicy;
  verdicts: VerdictMode;
  limits?: RunRequest["limits"] | undefined;
}

/** A run as it is stored. */
export interface Recording {
  head: RecordingHead;
  exchanges: RecordedExchange[];
  /** The files as it left them; undefined where it did not come to its end. */
  end: string | undefined;
}
