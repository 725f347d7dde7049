import type { RecordedExchange, RunRequest } from "@treadle/agent";
import type {
  ApprovalPolicy,
  DialectName,
  PictureInfo,
  RunMode,
  ThinkingLevel,
  VerdictMode,
} from "@treadle/protocol";

/** The initial state of a run, as far as it must be the same for a repetition. */
export interface RecordingHead {
  run: string;
  message: string;
  /** The files at its start. */
  checkpoint: string;
  asked: AskedMessage;
  model: ModelFacts;
  settings: RecordedSettings;
}

/** The person's message. */
export interface AskedMessage {
  text: string;
  mode?: RunMode | undefined;
  fix?: true | undefined;
  prove?: string[] | undefined;
  plan?: string | undefined;
  pictures?: PictureInfo[] | undefined;
  open?: string[] | undefined;
}

/** What is known of the model besides its answers. */
export interface ModelFacts {
  id: string;
  /** The AI SDK's names of the provider and the model. */
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
  /** The files at its end; undefined if it did not end normally. */
  end: string | undefined;
}
