import { setImmediate } from "node:timers/promises";
import { lintSource } from "@secretlint/core";
import { secretLintProfiler } from "@secretlint/profiler";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import type { GateFile } from "../types.ts";

/** What secretlint's rules find, as people call it. What has no name here is told by a rule of ours, or is no secret. */
const KINDS: Record<string, string> = {
  "1password": "A 1Password token",
  anthropic: "An Anthropic key",
  basicauth: "A password in an address",
  cloudflare: "A Cloudflare token",
  databricks: "A Databricks token",
  docker: "A Docker token",
  figma: "A Figma token",
  gcp: "The key of a Google service account",
  github: "A GitHub token",
  gitlab: "A GitLab token",
  grafana: "A Grafana token",
  groq: "A Groq key",
  "hashicorp-vault": "A Vault token",
  huggingface: "A Hugging Face token",
  linear: "A Linear token",
  notion: "A Notion token",
  npm: "An npm token",
  openai: "An OpenAI key",
  sendgrid: "A SendGrid key",
  shopify: "A Shopify token",
  slack: "A Slack token",
  stripe: "A Stripe secret key",
  tailscale: "A Tailscale key",
  vercel: "A Vercel token",
};
/** A provider's keys for tests open nothing. */
const FOR_TESTS = /_TEST$/;
const RULE = "@secretlint/secretlint-rule-";

// It would keep when each rule began and ended, of every file, for as long as the server runs.
secretLintProfiler.setEnabled(false);

const config = {
  rules: [{ id: `${RULE}preset-recommend`, rule: creator, options: {} }],
};

/** A secret where it stands in a text, from and up to a character. */
export interface SecretSpan {
  kind: string;
  from: number;
  to: number;
}

/**
 * Characters that are read at one time, and how many of them again at the next: for each finding it goes through all that
 * it reads, so that a file of nothing but keys would take minutes.
 */
const PIECE = 64 * 1024;
const AGAIN = 4 * 1024;

/**
 * What [secretlint](https://github.com/secretlint/secretlint) finds in a file; nothing where it cannot read it.
 * @param most it stops where it has found so many
 */
export async function runSecretlint({ path, text }: GateFile, most: number): Promise<SecretSpan[]> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const ext = name.includes(".") ? name.slice(name.lastIndexOf(".")) : "";
  const found = new Map<number, SecretSpan>();
  for (let at = 0; at < text.length && found.size < most; at += PIECE - AGAIN) {
    const content = text.slice(at, at + PIECE);
    const source = { filePath: path, content, ext, contentType: "text" as const };
    const { messages } = await lintSource({ source, options: { config } }).catch(() => ({
      messages: [],
    }));
    for (const { ruleId, messageId, range } of messages) {
      const kind = KINDS[ruleId.replace(RULE, "")];
      const [from, to] = [range[0] + at, range[1] + at];
      if (kind !== undefined && !FOR_TESTS.test(messageId)) found.set(from, { kind, from, to });
    }
    if (at > 0) await setImmediate();
  }
  return [...found.values()];
}
