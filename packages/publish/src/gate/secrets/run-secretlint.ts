import { setImmediate } from "node:timers/promises";
import { lintSource } from "@secretlint/core";
import { secretLintProfiler } from "@secretlint/profiler";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import type { GateFile } from "../types.ts";

/**
 * Display names of secretlint's findings. One without a name here is covered by a rule of ours, or
 * is no secret.
 */
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
/** Test keys of a provider grant no access. */
const FOR_TESTS = /_TEST$/;
const RULE = "@secretlint/secretlint-rule-";

// The profiler would record the timing of each rule for every file as long as the server runs.
secretLintProfiler.setEnabled(false);

const config = {
  rules: [{ id: `${RULE}preset-recommend`, rule: creator, options: {} }],
};

/** The range of a secret in a text, in characters. */
export interface SecretSpan {
  kind: string;
  from: number;
  to: number;
}

/**
 * Characters searched at a time, and their overlap: each finding costs a pass over the searched
 * text, so a file full of keys would take minutes.
 */
const PIECE = 64 * 1024;
const AGAIN = 4 * 1024;

/**
 * Returns what [secretlint](https://github.com/secretlint/secretlint) finds in a file. Parts that it
 * fails to read are skipped.
 * @param most number of findings after which it stops
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
